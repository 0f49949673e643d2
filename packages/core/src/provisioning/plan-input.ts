import type { NodePool } from '../api/index.ts';
import type { PendingPod } from '../pending-pods/index.ts';
import { isUpcomingPod, type PodView, type Snapshot } from '../scheduling/index.ts';
import { type ClusterSnapshot, launchingPods } from '../state/index.ts';
import { plannablePools } from './plannable-pools.ts';
import { type IgnoredPod, type PodContext, preparedPods } from './prepared-pods.ts';

export interface PlanEnvironment extends Omit<PodContext, 'storage'> {
  /** NodePools of other cloud providers are ignored. */
  readonly isManaged: (nodePool: NodePool) => boolean;
  /** Virtual pods of CapacityBuffers. */
  readonly bufferPods: readonly PodView[];
  /** Pods that workloads are about to create. They are planned together with other pods and never alone (ADR 0068). */
  readonly upcomingPods?: readonly PodView[];
}

/** The input of a plan, and the pods and pools left out of it. */
export interface PlanInput {
  readonly snapshot: Snapshot;
  readonly ignored: readonly IgnoredPod[];
  /** Pools left out because they are not ready. */
  readonly notReady: readonly NodePool[];
}

/**
 * Turns the cluster state into the input of a plan: filters pods, adds default spread constraints and virtual
 * pods.
 */
export function planInput(cluster: ClusterSnapshot, context: PlanEnvironment): PlanInput {
  const { isManaged, bufferPods, upcomingPods = [], devices } = context;
  // Virtual pods that a launch in flight covers must not be planned again; the state does not know them.
  const launching = launchingPods(cluster.launching);
  const virtual = bufferPods.filter(({ metadata }) => !launching.has(metadata.uid));
  const { pods, ignored } = preparedPods<PendingPod>(
    { pending: [...cluster.pendingPods, ...virtual, ...upcomingPods], moving: cluster.movingPods },
    { ...context, storage: cluster.storage },
  );
  const { nodePools, notReady } = plannablePools(cluster.nodePools, isManaged);
  return {
    snapshot: {
      at: cluster.at,
      revision: cluster.revision,
      nodePools,
      instanceTypes: cluster.instanceTypes,
      nodes: cluster.nodes,
      pods: pods.every(isUpcomingPod) ? [] : pods,
      boundPods: cluster.boundPods,
      daemonPods: cluster.daemonPods,
      namespaces: cluster.namespaces,
      ...(cluster.storage !== undefined && { storage: cluster.storage }),
      ...(devices !== undefined && { devices }),
    },
    ignored: ignored.filter(({ pod }) => !isUpcomingPod(pod)),
    notReady,
  };
}
