/**
 * Explanations: why a pod is pending or where it is, why a node is kept, what a NodePool can launch. Pure: every
 * answer comes from a plan, a candidate check or a search of the controllers' own code on a `ClusterSnapshot`. Start
 * with `explanation.ts` for the result and `pods/pending-pod.ts`; `changes` searches for what would help and proves
 * it by planning again, `checks` says what each NodePool and node lacks.
 */

export type {
  Explanation,
  FieldChange,
  Finding,
  ProposedChange,
} from './explanation.ts';
export { explainNode } from './nodes/node-explanation.ts';
export { explainPendingPod } from './pods/pending-pod.ts';
export { explainRunningPod } from './pods/running-pod.ts';
export { explainNodePool } from './pools/pool-explanation.ts';
export type { ExplainedCluster } from './situation.ts';
