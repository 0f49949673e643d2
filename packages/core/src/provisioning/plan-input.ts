import type { NodePool } from '../api/index.ts';
import type { PendingPod } from '../pending-pods/index.ts';
import type { PodView, Snapshot } from '../scheduling/index.ts';
import { type ClusterSnapshot, podsOnTheirWay } from '../state/index.ts';
import { plannablePools } from './plannable-pools.ts';
import { type IgnoredPod, type PodSurroundings, preparedPods } from './prepared-pods.ts';

export interface PlanSurroundings extends Omit<PodSurroundings, 'storage'> {
  /** Pools of other clouds are none of our business. */
  readonly isManaged: (nodePool: NodePool) => boolean;
  /** Those that stand for the room that CapacityBuffers keep. */
  readonly bufferPods: readonly PodView[];
}

/** What a plan is made from, and the pods that it leaves out. */
export interface PlanInput {
  readonly snapshot: Snapshot;
  readonly ignored: readonly IgnoredPod[];
  /** Pools that are left out because they are not ready. */
  readonly notReady: readonly NodePool[];
}

/** The cluster as a plan looks at it: pods judged, lent spread constraints and joined by virtual ones. */
export function planInput(cluster: ClusterSnapshot, surroundings: PlanSurroundings): PlanInput {
  const { isManaged, bufferPods, devices } = surroundings;
  const onTheirWay = podsOnTheirWay(cluster.launching);
  const virtual = bufferPods.filter(({ metadata }) => !onTheirWay.has(metadata.uid));
  const { pods, ignored } = preparedPods<PendingPod>(
    { pending: [...cluster.pendingPods, ...virtual], moving: cluster.movingPods },
    { ...surroundings, storage: cluster.storage },
  );
  const { nodePools, notReady } = plannablePools(cluster.nodePools, isManaged);
  return {
    snapshot: {
      at: cluster.at,
      revision: cluster.revision,
      nodePools,
      instanceTypes: cluster.instanceTypes,
      nodes: cluster.nodes,
      pods,
      boundPods: cluster.boundPods,
      daemonPods: cluster.daemonPods,
      namespaces: cluster.namespaces,
      ...(cluster.storage !== undefined && { storage: cluster.storage }),
      ...(devices !== undefined && { devices }),
    },
    ignored,
    notReady,
  };
}
