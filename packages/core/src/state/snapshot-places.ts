import type { BoundPodView } from '../scheduling/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { type Demand, isPromised } from './demand.ts';
import { movablePods } from './movable-pods.ts';
import type { NodeState } from './node-state.ts';
import type { PodBudgets } from './pod-budgets.ts';

/** Who is where, and who has to leave. */
export interface Places {
  /** On nodes that are going away, as far as they can move. */
  readonly moving: readonly ClusterPod[];
  /** All bound pods but those that are planned for elsewhere, and those promised a node where they will be. */
  boundPods(demand: Demand): readonly BoundPodView[];
}

export function placesOf(nodes: readonly NodeState[], budgets: PodBudgets, at: number): Places {
  const leaving = nodes.filter(({ markedForDeletion }) => markedForDeletion);
  const moving = leaving.flatMap((node) => movablePods(node, budgets, at).map(({ pod }) => pod));
  return {
    moving,
    boundPods: (found) => {
      const elsewhere = new Set(
        [...found.moving, ...found.held.filter(isPromised).map(({ pod }) => pod)].map(uidOf),
      );
      const bound: BoundPodView[] = [];
      for (const { pods, markedForDeletion } of nodes) {
        for (const { view } of pods) {
          if (!markedForDeletion || !elsewhere.has(view.metadata.uid)) bound.push(view);
        }
      }
      return bound.concat(found.promised);
    },
  };
}

function uidOf({ metadata }: { readonly metadata: { readonly uid: string } }): string {
  return metadata.uid;
}
