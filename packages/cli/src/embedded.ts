/** The parts of `karpenter dev`, for those who put a cluster together themselves. */
export { type ControllerProcessOptions, runControllerProcess } from './controller/controller-process.ts';
export { type ProcessSettings, settingsWith } from './controller/process-settings.ts';
export {
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  installDefinitions,
  startEmbeddedCluster,
} from './dev/embedded-cluster.ts';
export { type SimulatedAccount, startSimulatedAccount } from './simulated-account/index.ts';
