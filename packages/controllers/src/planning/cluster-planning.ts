import type { NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import {
  nodeClassKindOf,
  type PlanEnvironment,
  type PlanInput,
  planInput,
} from '@karpenter/core/provisioning';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ControllerContext, Planning, RefreshedCluster } from '../context/index.ts';
import { bufferPodsOf, watchBuffers } from './buffer-references.ts';
import { claimedDevices } from './claimed-devices.ts';
import { InstanceTypeRefresh, type TypesContext, type TypesFound } from './instance-type-refresh.ts';
import { spreadSourcesOf } from './spread-sources.ts';

export type PlanningContext = TypesContext & Pick<ControllerContext, 'defaultSpread'>;

/** Implements `Planning` on watch caches, the cloud provider and the cluster state. */
export class ClusterPlanning implements Planning {
  readonly #context: PlanningContext;
  readonly #types: InstanceTypeRefresh;
  /** Instance types with overlays as of the last refresh, by NodePool name; for `overlaid`. */
  #overlaidTypes: TypesFound['byPool'] = new Map();

  constructor(context: PlanningContext) {
    this.#context = context;
    this.#types = new InstanceTypeRefresh(context);
  }

  /**
   * Starts the caches that plans read, so that they are synced before the process reports ready and plans.
   */
  start(): void {
    const { caches, settings, defaultSpread } = this.#context;
    if (defaultSpread.length > 0) spreadSourcesOf(caches);
    if (settings.featureGates.CapacityBuffer) watchBuffers(caches);
    if (!settings.ignoreDraRequests) claimedDevices(caches);
  }

  async refresh(): Promise<RefreshedCluster> {
    const { byPool, failures, overlays } = await this.#types.refresh();
    this.#overlaidTypes = byPool;
    const snapshot = this.#context.cluster.snapshot();
    return { snapshot, typeFailures: failures, overlayVerdicts: overlays };
  }

  input(snapshot: ClusterSnapshot): PlanInput {
    return planInput(snapshot, this.environment());
  }

  environment(): PlanEnvironment {
    const { caches, cloud, settings, vocabulary, defaultSpread } = this.#context;
    return {
      policy: vocabulary.policy,
      unsupportedStorage: vocabulary.unsupportedStorage,
      defaultSpread,
      spreadSources: () => spreadSourcesOf(caches),
      isManaged: ({ spec }) =>
        nodeClassKindOf(spec.template.spec.nodeClassRef, cloud.nodeClasses) !== undefined,
      bufferPods: settings.featureGates.CapacityBuffer ? bufferPodsOf(caches) : [],
      ...(!settings.ignoreDraRequests && { devices: claimedDevices(caches) }),
    };
  }

  /**
   * The instance types of a NodePool with overlays, as of the last refresh, for the launch of NodeClaims: a
   * launch must see the prices and capacities that its plan was made with. Returns `types` without the gate
   * or before a refresh.
   */
  overlaid({ metadata }: NodePool, types: readonly InstanceType[]): readonly InstanceType[] {
    if (!this.#context.settings.featureGates.NodeOverlay) return types;
    return this.#overlaidTypes.get(metadata.name) ?? types;
  }
}
