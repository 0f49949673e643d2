/**
 * Renders the user data of each AMI family: cloud-init messages, NodeConfig
 * YAML, Bottlerocket TOML and PowerShell. Pure. Start with user-data.ts. Tests
 * compare the output part by part with recordings of Karpenter (ADR 0017).
 */

export type { Bootstrap, ClusterFacts } from './bootstrap.ts';
export { sortedTable } from './bottlerocket-settings.ts';
export { bottlerocketVersion } from './bottlerocket-version.ts';
export { bootLabels, bootTaints, registrableLabels } from './node-settings.ts';
export { userDataFor } from './user-data.ts';
