/**
 * `karpenter migrate`: reads the node groups and the settings of Cluster Autoscaler, maps them to NodePools
 * and EC2NodeClasses with a finding for every setting, and moves the nodes group by group (ADR 0056). All
 * decisions are pure functions; `source/read-groups.ts` reads the account, `run/perform-step.ts` changes groups, Nodes,
 * pods and Deployments, and `run/progress-store.ts` keeps the progress in a ConfigMap. Start with
 * `mapping/migration-manifests.ts`.
 */

export { annotationFindings } from './autoscaler/annotations.ts';
export {
  flagsOf,
  isClusterAutoscaler,
  parseFlags,
} from './autoscaler/autoscaler-flags.ts';
export { type AutoscalerSettings, autoscalerSettings } from './autoscaler/autoscaler-settings.ts';
export { groupWeights, prioritiesConfigMap, prioritiesKey } from './autoscaler/priorities.ts';
export { readEksctlFile } from './eksctl/eksctl-file.ts';
export type { FindingVerdict, MigrationFinding } from './finding.ts';
export { type MappedGroup, mapGroup } from './mapping/migration-manifests.ts';
export { movingNodes } from './run/group-nodes.ts';
export { type MigrationPorts, type MisfitPod, runMigration } from './run/migration-run.ts';
export { newProgress } from './run/new-progress.ts';
export type { DrainOptions } from './run/next-step.ts';
export { observe } from './run/observation.ts';
export { continued, type MigrationProgress } from './run/progress.ts';
export { ProgressStore } from './run/progress-store.ts';
export { plannedRollback, rollBack } from './run/rollback.ts';
export { plannedSteps, rollbackText, stepText } from './run/step-text.ts';
export { readGroups } from './source/read-groups.ts';
export type { SourceGroup } from './source/source-group.ts';
