import { labelKeys } from '../api/index.ts';
import type { ClusterNode, ClusterPod, StateKind, StateObjects } from './cluster-object.ts';
import { isTerminal, nodeNameOf } from './pod-state.ts';

/** An object before and after; it comes where there is none before and goes where there is none after. */
export interface Change<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

type Rules = { readonly [K in StateKind]?: (change: Change<StateObjects[K]>) => boolean };

const rules: Rules = {
  Pod: (change) => comesOrLeavesNode(change),
  Node: (change) => comesOrGoes(change) || initialized(change.before) !== initialized(change.after),
  NodeClaim: comesOrGoes,
  NodePool: ({ before, after }) =>
    before?.metadata.generation !== after?.metadata.generation || !before || !after,
};

/** Whether a change may make a consolidation possible that was not before. */
export function mayConsolidate<K extends StateKind>(kind: K, change: Change<StateObjects[K]>): boolean {
  return rules[kind]?.(change) ?? false;
}

/** Pods that end stay with their node until they are deleted, and only then leave it. */
function comesOrLeavesNode({ before, after }: Change<ClusterPod>): boolean {
  if (after !== undefined && isTerminal(after)) return false;
  return (before && nodeNameOf(before)) !== (after && nodeNameOf(after));
}

interface Deletable {
  readonly metadata: { readonly deletionTimestamp?: string };
}

function comesOrGoes({ before, after }: Change<Deletable>): boolean {
  if (before === undefined || after === undefined) return true;
  return before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
}

function initialized(node: ClusterNode | undefined): string | undefined {
  return node?.metadata.labels?.[labelKeys.initialized];
}
