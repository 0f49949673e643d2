// `karpenter simulate`: reads manifests, saved clusters and scenarios (`input/`, `objects/`, `saved/`, `scenario/`),
// plans them with the controllers' own code (`cluster/`) and prints the plan (`output/`). Manifests and saved clusters
// take the same path: lists of API objects, `ClusterState`, plan. It reads no cluster and no cloud.
// `input/input-file.ts` reads files; everything else from outside comes through `SimulationPorts`. `what-if` brings the
// lists of a live cluster. Start reading at `simulate.ts`.

export { type PlannableCluster, plannableCluster } from './cluster/listed-cluster.ts';
export { namedClasses } from './cluster/manifest-cluster.ts';
export { planSettings } from './cluster/plan-settings.ts';
export { comparedSimulations, comparisonWriters } from './comparison/index.ts';
export { documentsOf } from './input/document.ts';
export { type InputFile, readInput } from './input/input-file.ts';
export { type Origin, rethrowWithSource, withOrigin } from './input/origin.ts';
export { count, flag, listOf, number, readShape, shape, text } from './input/shape.ts';
export { admittedEc2NodeClass, admittedNodePool } from './objects/admitted-object.ts';
export { inventoryOf, unreadNotes } from './objects/inventory.ts';
export {
  type Manifest,
  manifestName,
  manifestsOf,
  manifestText,
  type NamedManifest,
  placedManifest,
} from './objects/manifest.ts';
export { checkManifests, type ObjectCheck } from './objects/object-checks.ts';
export { defaultClassAnnotation, withClass } from './objects/storage.ts';
export { type StoredObjects, storedObjects } from './objects/stored-objects.ts';
export { templateOf } from './objects/workload-objects.ts';
export type { ExpandedWorkload } from './objects/workload-pods.ts';
export { type PlanTableOptions, planTable } from './output/plan-table.ts';
export { planYaml } from './output/plan-yaml.ts';
export { planDocument, unplacedPods } from './output/summary.ts';
export { savedCluster } from './saved/saved-cluster.ts';
export { scenarioSimulation } from './scenario/scenario-snapshot.ts';
export { defaultConstraintsOf } from './scheduler-config.ts';
export { poolNotes, simulate, simulationOf, simulationsOf } from './simulate.ts';
export {
  type Choices,
  noChoices,
  type PlanSimulation,
  type Policies,
  type Simulated,
  type SimulationPorts,
} from './simulation.ts';
