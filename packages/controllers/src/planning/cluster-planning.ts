import type { NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import {
  nodeClassKindOf,
  type PlanEnvironment,
  type PlanInput,
  planInput,
} from '@karpenter/core/provisioning';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { yieldToEventLoop } from '@karpenter/kube/yielding';
import type {
  ControllerContext,
  PlanInputOptions,
  Planning,
  RefreshedCluster,
  RefreshOptions,
} from '../context/index.ts';
import { bufferPodsOf } from './buffer-references.ts';
import { type CaptureOptions, capturedCluster } from './captured-cluster.ts';
import { claimedDevices } from './claimed-devices.ts';
import { InstanceTypeRefresh, type TypesContext, type TypesFound } from './instance-type-refresh.ts';
import { companionKinds } from './planning-kinds.ts';
import { spreadSourcesOf } from './spread-sources.ts';
import { podsByController, upcomingPodsOf } from './upcoming-workloads.ts';

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
    const { caches, settings } = this.#context;
    for (const kind of companionKinds(this.#context)) caches.of(kind);
    if (settings.planUpcomingPods) podsByController(caches);
  }

  async refresh({ capture }: RefreshOptions = {}): Promise<RefreshedCluster> {
    const { byPool, listed, failures, overlays } = await this.#types.refresh();
    this.#overlaidTypes = byPool;
    await yieldToEventLoop();
    const snapshot = this.#context.cluster.snapshot();
    const refreshed = { snapshot, listedTypes: listed, typeFailures: failures, overlayVerdicts: overlays };
    if (capture === undefined) return refreshed;
    // No await since the snapshot: a watch event in between would change the objects that it was made from.
    return { ...refreshed, captured: this.capture(refreshed, { reservedCapacity: capture }) };
  }

  /**
   * Everything that plans of this snapshot depend on, for a file. Call it right after `refresh`, without an await in
   * between: it reads the caches and the cluster state as they are now.
   */
  capture({ snapshot, listedTypes }: RefreshedCluster, options: CaptureOptions): CapturedCluster {
    return capturedCluster(this.#context, { snapshot, types: listedTypes, ...options });
  }

  input(snapshot: ClusterSnapshot, { forUpcomingPods = true }: PlanInputOptions = {}): PlanInput {
    const { caches, settings } = this.#context;
    const includesUpcoming = forUpcomingPods && settings.planUpcomingPods;
    const upcomingPods = includesUpcoming ? upcomingPodsOf(caches, snapshot) : [];
    return planInput(snapshot, { ...this.environment(), upcomingPods });
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
