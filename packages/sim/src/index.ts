// The simulation: kube-scheduler, the workload controllers, kubelets and a simulated AWS account (./cloud),
// all against the Kubernetes API of any server, embedded (./apiserver) or real. Start with
// cluster-controllers.ts and kubelets.ts; the simulated account has its own entry point, cloud/index.ts.
export {
  type ClusterControllersOptions,
  type Running,
  type SchedulerOptions,
  startClusterControllers,
  startScheduler,
} from './cluster-controllers.ts';
export { FleetUsage } from './fleet-usage.ts';
export type { KubeletFleet } from './kubelet/kubelet-fleet.ts';
export { podAnnotations } from './kubelet/pod-timetable.ts';
export type {
  BootDelays,
  CsiDriver,
  NodeFault,
  PodDelays,
  SimulatedNode,
} from './kubelet/simulated-node.ts';
export type { Usage } from './kubelet/usage.ts';
export { type KubeletsOptions, type RunningKubelets, startKubelets } from './kubelets.ts';
export type { SimulationLog } from './objects/simulation-log.ts';
