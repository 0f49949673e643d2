// The simulation: kube-scheduler, the workload controllers, kubelets and a simulated AWS account (./cloud),
// all against the Kubernetes API of any server, embedded (./apiserver) or real. Start with
// cluster-controllers.ts and kubelets.ts; the simulated account has its own entry point, cloud/index.ts.
export {
  type Running,
  startClusterControllers,
  startScheduler,
} from './cluster-controllers.ts';
export { LiveLog, SimulatedContainers } from './containers/index.ts';
export { FleetUsage } from './fleet-usage.ts';
export type { KubeletFleet } from './kubelet/kubelet-fleet.ts';
export type { SimulatedNode } from './kubelet/simulated-node.ts';
export { startKubelets } from './kubelets.ts';
