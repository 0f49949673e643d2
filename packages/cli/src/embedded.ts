/** The parts of `karpenter dev`, for those who put a cluster together themselves. */
export * from './controller/index.ts';
export { type SimulatedRun, startSimulatedRun } from './controller/simulated-run.ts';
export {
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  installDefinitions,
  startEmbeddedCluster,
} from './dev/embedded-cluster.ts';
export { type SimulatedAccount, startSimulatedAccount } from './simulated-account/index.ts';
