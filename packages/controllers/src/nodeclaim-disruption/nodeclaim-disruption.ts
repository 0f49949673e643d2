import {
  concurrency,
  concurrencyRanges,
  conditionedObject,
  controllerNames,
  driftReasons,
  driftTuning,
  equalConditions,
  formatTimestamp,
  isConditionTrue,
  labelKeys,
  type NodeClaim,
  type NodePool,
  nodeClaimConditionSet,
  nodeClaimConditions,
} from '@karpenter/core/api';
import {
  evaluateConsolidatable,
  gracefulExpiryReason,
  isInstanceTypeGone,
  isOldEnoughForTypeCheck,
  nodePoolDriftReason,
} from '@karpenter/core/disruption';
import { nodeClassKindOf } from '@karpenter/core/provisioning';
import type { Condition } from '@karpenter/core/schema';
import { durationMs } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import { type Controller, changesOf, type ReconcileResult, type Runnable } from '@karpenter/kube/runtime';
import { nodeClaims, nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export type ClaimDisruptionContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'log' | 'clock' | 'settings' | 'vocabulary'
>;

const byPool = 'nodepool';

/**
 * Sets the conditions Drifted and Consolidatable of each NodeClaim, when it or its NodePool changes and at
 * least every five minutes: drift that only the cloud provider detects triggers no watch event.
 */
export function nodeClaimDisruption(context: ClaimDisruptionContext): Runnable {
  const claims = context.caches.of(nodeClaims, {
    [byPool]: ({ metadata }) => [metadata.labels?.[labelKeys.nodePool] ?? ''],
  });
  const pools = context.caches.of(nodePools);
  const ofPool = ({ metadata }: NodePool) =>
    claims.byIndex(byPool, metadata.name).map((claim) => claim.metadata.name);
  return {
    controller: new ClaimDisruptionController(context, claims, pools),
    sources: [changesOf(claims), changesOf(pools, ({ object }) => ofPool(object))],
  };
}

type Conditions = readonly Condition[];

class ClaimDisruptionController implements Controller {
  readonly name = controllerNames.nodeClaimDisruption;
  readonly kind = nodeClaims;
  readonly concurrency: number;
  readonly #context: ClaimDisruptionContext;
  readonly #claims: WatchCache<NodeClaim>;
  readonly #pools: WatchCache<NodePool>;
  /** When the instance type of a claim was last found among the offered types, by claim name. */
  readonly #typeFound = new Map<string, number>();

  constructor(context: ClaimDisruptionContext, claims: WatchCache<NodeClaim>, pools: WatchCache<NodePool>) {
    this.#context = context;
    this.#claims = claims;
    this.#pools = pools;
    this.concurrency = concurrency(concurrencyRanges.other, context.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const claim = this.#claims.get({ name });
    if (claim === undefined) this.#typeFound.delete(name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
    if (nodeClassKindOf(claim.spec.nodeClassRef, this.#context.cloud.nodeClasses) === undefined)
      return undefined;
    const nodePool = this.#pools.get({ name: claim.metadata.labels?.[labelKeys.nodePool] ?? '' });
    if (nodePool === undefined) return undefined;
    const drift = await this.#drift(claim, nodePool);
    // On the result for Drifted, so that one write stores both conditions.
    const consolidation = this.#consolidatable(
      { ...claim, status: { ...claim.status, conditions: drift.conditions } },
      nodePool,
    );
    await this.#store(claim, consolidation.conditions);
    if (drift.error !== undefined) throw drift.error;
    const { recheck } = driftTuning;
    return { requeueAfter: durationMs(Math.min(recheck, consolidation.requeueAfter ?? recheck)) };
  }

  /**
   * Computes Drifted. An error of the cloud provider leaves the condition as it is and is returned, so that
   * Consolidatable is still computed and stored before the error is thrown.
   */
  async #drift(claim: NodeClaim, nodePool: NodePool): Promise<{ conditions: Conditions; error?: unknown }> {
    const object = conditionedObject(claim);
    const isLaunched = isConditionTrue(object, nodeClaimConditions.launched);
    try {
      const reason = isLaunched ? await this.#driftReason(claim, nodePool) : undefined;
      if (reason === undefined)
        return { conditions: nodeClaimConditionSet.clear(object, nodeClaimConditions.drifted) };
      if (!isConditionTrue(object, nodeClaimConditions.drifted))
        this.#context.log.debug('marking drifted', { reason });
      return {
        conditions: nodeClaimConditionSet.setTrue(object, {
          type: nodeClaimConditions.drifted,
          now: this.#now,
          reason,
          message: reason,
        }),
      };
    } catch (error) {
      return { conditions: nodeClaimConditionSet.initialise(object), error };
    }
  }

  /** The first reason found: the fields of the NodePool are compared before the cloud provider is called. */
  async #driftReason(claim: NodeClaim, nodePool: NodePool): Promise<string | undefined> {
    const { cloud } = this.#context;
    const reason = nodePoolDriftReason(claim, nodePool, this.#driftOptions);
    if (reason !== undefined) return reason;
    if (await this.#isTypeGone(claim, nodePool)) return driftReasons.instanceTypeNotFound;
    return (
      (await cloud.driftReason(claim)) ?? gracefulExpiryReason(claim, nodePool, this.#context.clock.now())
    );
  }

  /**
   * Whether the instance type is no longer offered. As in Karpenter only claims older than an hour are
   * checked, and a type that was found is not looked up again for 30 minutes.
   */
  async #isTypeGone(claim: NodeClaim, nodePool: NodePool): Promise<boolean> {
    const { clock, cloud } = this.#context;
    const { name } = claim.metadata;
    const found = this.#typeFound.get(name);
    const now = clock.now();
    const isKnown = found !== undefined && now - found < driftTuning.instanceTypeCheckCacheLifetime;
    if (isKnown || !isOldEnoughForTypeCheck(claim, now)) return false;
    const isGone = isInstanceTypeGone(claim, await cloud.instanceTypes(nodePool), this.#driftOptions);
    if (isGone) this.#typeFound.delete(name);
    else this.#typeFound.set(name, now);
    return isGone;
  }

  /**
   * Computes Consolidatable. As in Karpenter the condition is not maintained for claims of static NodePools, which are
   * never consolidated.
   */
  #consolidatable(claim: NodeClaim, nodePool: NodePool): { conditions: Conditions; requeueAfter?: number } {
    const object = conditionedObject(claim);
    const type = nodeClaimConditions.consolidatable;
    if (nodePool.spec.replicas !== undefined) return { conditions: nodeClaimConditionSet.initialise(object) };
    const verdict = evaluateConsolidatable(claim, nodePool, this.#context.clock.now());
    const wasConsolidatable = isConditionTrue(object, type);
    const { log } = this.#context;
    if (verdict.isConsolidatable) {
      if (!wasConsolidatable) log.debug('marking consolidatable');
      return { conditions: nodeClaimConditionSet.setTrue(object, { type, now: this.#now }) };
    }
    if (wasConsolidatable) log.debug('removing consolidatable status condition', { reason: verdict.reason });
    const conditions = nodeClaimConditionSet.clear(object, type);
    return { conditions, ...(verdict.requeueAfter !== undefined && { requeueAfter: verdict.requeueAfter }) };
  }

  async #store(claim: NodeClaim, conditions: Conditions): Promise<void> {
    // Not compared as JSON: the API server returns the fields of a condition in another order.
    if (equalConditions(conditions, claim.status?.conditions ?? [])) return;
    // A conflict is ignored: the watch event of the newer claim triggers the next reconcile.
    await writeStatus(this.#context.client, nodeClaims, claim, { conditions });
  }

  get #now(): string {
    return formatTimestamp(this.#context.clock.now());
  }

  get #driftOptions() {
    const { wellKnownLabels, labelAliases, reservationIdLabel } = this.#context.vocabulary;
    return { wellKnownLabels, labelAliases, reservationLabels: new Set([reservationIdLabel]) };
  }
}
