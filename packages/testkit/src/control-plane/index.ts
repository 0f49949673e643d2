/**
 * Starts a real Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager, kube-scheduler,
 * kubectl) for the cluster tier: child processes, loopback ports and a temporary directory. Start reading at
 * `control-plane.ts`; it must clean up even if the test process is killed.
 */
export type { ApiResponse } from './api-request.ts';
export { builtBinary } from './binary.ts';
export {
  type ControlPlaneClient,
  type ControlPlaneConnection,
  connectControlPlane,
} from './connection.ts';
export {
  type ControlPlane,
  startControlPlane,
} from './control-plane.ts';
export { freePort } from './free-port.ts';
