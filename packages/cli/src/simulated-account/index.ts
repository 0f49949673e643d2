/**
 * Connects the simulated AWS account of `karpenter dev` and `controller --cloud simulated` to the kubelets, the
 * ConfigMap of faults, the requests of `karpenter faults do`, node annotations and the data directory. Reads Nodes of
 * the cluster, and reads and writes ConfigMaps with requests. The simulation itself is in `@karpenter/sim/cloud`. Start
 * with `simulated-account.ts`.
 */

export { checkedRequest, faultsInForce, requestAct } from './act-request.ts';
export {
  type Act,
  accountActs,
  actNames,
  actUsage,
  faultConfig,
  isAct,
  nodeActs,
} from './controls.ts';
export { type FaultsInForce, withFailingBoots, withoutSpot, withSpot } from './fault-edits.ts';
export { readFaultFile } from './fault-file.ts';
export { isPreset, nearestPreset, presetLines, presetText } from './fault-presets.ts';
export {
  type SimulatedAccount,
  startSimulatedAccount,
} from './simulated-account.ts';
export { type SimulatedRun, type SimulatedRunOptions, startSimulatedRun } from './simulated-run.ts';
