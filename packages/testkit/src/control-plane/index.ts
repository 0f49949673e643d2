export type { ApiResponse } from './api-request.ts';
export { builtBinary } from './binary.ts';
export {
  type ControlPlaneClient,
  type ControlPlaneConnection,
  connectControlPlane,
} from './connection.ts';
export {
  type Component,
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from './control-plane.ts';
export type { KubectlResult } from './kubectl.ts';
