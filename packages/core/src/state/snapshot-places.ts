import type { BoundPodView } from '../scheduling/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { NodeState } from './nodes/node-state.ts';
import { type Demand, hasAssignedNode } from './pods/demand.ts';
import { movablePods } from './pods/movable-pods.ts';
import type { PodBudgets } from './pods/pod-budgets.ts';
import type { PodState } from './pods/pod-state.ts';

/** Which pods are bound where, and which must leave their node. */
export interface Places {
  /** Pods of nodes marked for deletion that can be evicted now. */
  readonly moving: readonly ClusterPod[];
  /**
   * All bound pods, except moving pods that are planned for elsewhere, plus held pods on the node they will
   * get.
   */
  boundPods(demand: Demand): readonly BoundPodView[];
}

export function placesOf(nodes: readonly NodeState[], budgets: PodBudgets, at: number): Places {
  const leaving = nodes.filter(({ markedForDeletion }) => markedForDeletion);
  const moving = leaving.flatMap((node) => movablePods(node, budgets, at).map(({ pod }) => pod));
  return {
    moving,
    boundPods: (found) => {
      const elsewhere = new Set(
        [...found.moving, ...found.held.filter(hasAssignedNode).map(({ pod }) => pod)].map(uidOf),
      );
      const bound: BoundPodView[] = [];
      for (const { pods, markedForDeletion } of nodes) {
        const all = viewsOf(pods);
        bound.push(...(markedForDeletion ? all.filter(({ metadata }) => !elsewhere.has(metadata.uid)) : all));
      }
      return bound.concat(found.assigned);
    },
  };
}

/** Cached by the list of pods of a node, which is a new list whenever one of them changes. */
const knownViews = new WeakMap<readonly PodState[], readonly BoundPodView[]>();

function viewsOf(pods: readonly PodState[]): readonly BoundPodView[] {
  const known = knownViews.get(pods) ?? pods.map(({ view }) => view);
  knownViews.set(pods, known);
  return known;
}

function uidOf({ metadata }: { readonly metadata: { readonly uid: string } }): string {
  return metadata.uid;
}
