import type { NodePool } from '@karpenter/core/api';
import type { OverlayVerdict } from '@karpenter/core/node-overlays';
import type { InstanceType } from '@karpenter/core/ports';
import {
  nodeClassKindOf,
  type PlanInput,
  type PlanSurroundings,
  planInput,
} from '@karpenter/core/provisioning';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ControllerContext, Planning } from '../context/index.ts';
import { bufferPodsOf } from './buffer-references.ts';
import { type CaptureOptions, capturedCluster } from './captured-cluster.ts';
import { claimedDevices } from './claimed-devices.ts';
import { InstanceTypeRefresh, type TypesContext, type TypesFound } from './instance-type-refresh.ts';
import { companionKinds } from './planning-kinds.ts';
import { spreadSourcesOf } from './spread-sources.ts';

export type PlanningContext = TypesContext & Pick<ControllerContext, 'defaultSpread'>;

const nothingFound: TypesFound = { byPool: new Map(), listed: new Map(), failures: new Map(), overlays: [] };

/** Implements `Planning` on watch caches, the cloud provider and the cluster state. */
export class ClusterPlanning implements Planning {
  readonly #context: PlanningContext;
  readonly #types: InstanceTypeRefresh;
  #found: TypesFound = nothingFound;

  constructor(context: PlanningContext) {
    this.#context = context;
    this.#types = new InstanceTypeRefresh(context);
    this.#startCaches();
  }

  async snapshot(): Promise<ClusterSnapshot> {
    this.#found = await this.#types.refresh();
    return this.#context.cluster.snapshot();
  }

  /**
   * Everything that plans of this snapshot depend on, for a file. Call it before anything else happens: it
   * reads the caches and the cluster state as they are now, which is what the last `snapshot` has seen.
   */
  capture(snapshot: ClusterSnapshot, options: CaptureOptions): CapturedCluster {
    return capturedCluster(this.#context, { snapshot, types: this.#found.listed, ...options });
  }

  input(snapshot: ClusterSnapshot): PlanInput {
    return planInput(snapshot, this.surroundings());
  }

  surroundings(): PlanSurroundings {
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
    return this.#found.byPool.get(metadata.name) ?? types;
  }

  /**
   * Starts the caches that plans read, so that they are synced before the process reports ready and plans.
   */
  #startCaches(): void {
    for (const kind of companionKinds(this.#context)) this.#context.caches.of(kind);
  }

  get overlayVerdicts(): readonly OverlayVerdict[] {
    return this.#found.overlays;
  }

  get typeFailures(): ReadonlyMap<string, unknown> {
    return this.#found.failures;
  }
}
