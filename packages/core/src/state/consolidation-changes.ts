import { labelKeys } from '../api/index.ts';
import type { ClusterNode, ClusterPod, StateKind, StateObjects } from './cluster-object.ts';
import { isTerminal, nodeNameOf } from './pods/pod-state.ts';

/** An object before and after a change; `before` is undefined on creation, `after` on deletion. */
export interface ObjectChange<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

type Rules = { readonly [K in StateKind]?: (change: ObjectChange<StateObjects[K]>) => boolean };

const rules: Rules = {
  Pod: (change) => changesNode(change),
  Node: (change) => isCreatedOrDeleting(change) || initialized(change.before) !== initialized(change.after),
  NodeClaim: isCreatedOrDeleting,
  NodePool: ({ before, after }) =>
    before?.metadata.generation !== after?.metadata.generation || !before || !after,
};

/**
 * Whether a change may enable a consolidation that was not possible before. These are the events for which
 * Karpenter marks its cluster state unconsolidated.
 */
export function mayConsolidate<K extends StateKind>(kind: K, change: ObjectChange<StateObjects[K]>): boolean {
  return rules[kind]?.(change) ?? false;
}

/** A pod that completes stays bound until it is deleted, and only the deletion counts as leaving the node. */
function changesNode({ before, after }: ObjectChange<ClusterPod>): boolean {
  if (after !== undefined && isTerminal(after)) return false;
  return (before && nodeNameOf(before)) !== (after && nodeNameOf(after));
}

interface Deletable {
  readonly metadata: { readonly deletionTimestamp?: string };
}

function isCreatedOrDeleting({ before, after }: ObjectChange<Deletable>): boolean {
  if (before === undefined || after === undefined) return true;
  return before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
}

function initialized(node: ClusterNode | undefined): string | undefined {
  return node?.metadata.labels?.[labelKeys.initialized];
}
