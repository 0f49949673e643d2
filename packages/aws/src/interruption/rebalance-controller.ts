import {
  annotationKeys,
  capacityTypes,
  labelKeys,
  type NodeClaim,
  type NodePool,
  nodeClaimConditions,
  nodeClaimMetrics,
} from '@karpenter/core/api';
import type { Counters, Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { isAlreadyExists, isNotFound, type KubeObject, type KubeWriter } from '@karpenter/kube/client';
import type { Clock, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { nodeClaims } from '../kinds.ts';
import {
  awsControllerNames,
  interruptionKinds,
  interruptionTuning,
  rebalanceTuning,
} from '../names/index.ts';
import type { UnavailableOfferings } from '../offerings/index.ts';
import type { Interrupted, InterruptedCluster } from './interrupted.ts';
import { inParallel } from './parallel-work.ts';
import {
  noRecommendations,
  type RebalanceStep,
  type RecommendationView,
  rebalance,
  withRecommendation,
} from './rebalance.ts';
import { hasRoomFor, replacementFor, replacementName } from './replacement.ts';

export interface RebalanceOptions {
  readonly client: Pick<KubeWriter, 'create' | 'delete'>;
  readonly claims: WatchCache<NodeClaim>;
  readonly nodePools: WatchCache<NodePool>;
  readonly cluster: Pick<InterruptedCluster, 'drain'>;
  readonly unavailable: Pick<UnavailableOfferings, 'markUnavailable'>;
  readonly perHour: number;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly log: Log;
}

const reason = interruptionKinds.rebalanceRecommendation;

/**
 * Replaces spot nodes that have a rebalance recommendation: launches a replacement
 * and drains the old node only when that is ready. Runs only with the policy
 * `Replace`; Karpenter itself never acts on these recommendations (ADR 0018).
 */
export class RebalanceController implements Singleton {
  readonly name = awsControllerNames.rebalance;
  readonly #options: RebalanceOptions;
  /** Nodes with a recommendation, by NodeClaim name. */
  readonly #nodes = new Map<string, KubeObject>();
  #state = noRecommendations;

  constructor(options: RebalanceOptions) {
    this.#options = options;
  }

  /** Records a recommendation. Ignores nodes with the do-not-disrupt annotation. */
  notice({ claim, node }: Interrupted): void {
    const { clock, log } = this.#options;
    const { name } = claim.metadata;
    if (isProtected(claim) || (node !== undefined && isProtected(node))) {
      log.debug('leaving node with do-not-disrupt where it is', { NodeClaim: { name }, reason });
      return;
    }
    this.#avoid(claim);
    if (node !== undefined) this.#nodes.set(name, node);
    this.#state = withRecommendation(this.#state, name, clock.now());
  }

  async reconcile(): Promise<ReconcileResult> {
    const { clock, perHour } = this.#options;
    const limits = { now: clock.now(), perHour, ...rebalanceTuning };
    const { state, steps } = rebalance(this.#state, (claim) => this.#view(claim), limits);
    this.#state = state;
    for (const name of this.#nodes.keys()) if (!state.recommendations.has(name)) this.#nodes.delete(name);
    await inParallel(steps, interruptionTuning.parallel, (step) => this.#apply(step));
    return { requeueAfter: rebalanceTuning.period };
  }

  /** Marks the offering unavailable: a replacement in the same spot pool would soon be interrupted too. */
  #avoid({ metadata: { labels = {} } }: NodeClaim): void {
    const zone = labels[labelKeys.zone] ?? '';
    const instanceType = labels[labelKeys.instanceType] ?? '';
    if (zone === '' || instanceType === '') return;
    const capacityType = capacityTypes.spot;
    this.#options.unavailable.markUnavailable({ instanceType, zone, capacityType, reason });
  }

  #view(name: string): RecommendationView {
    const { claims, nodePools } = this.#options;
    const claim = claims.get({ name });
    const poolName = claim?.metadata.labels?.[labelKeys.nodePool] ?? '';
    const pool = nodePools.get({ name: poolName });
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) {
      return { claim: 'leaving', hasRoom: false, replacement: 'absent' };
    }
    const replacement = claims.get({ name: replacementName(claim) });
    return {
      claim: 'staying',
      hasRoom: pool !== undefined && isUsable(pool) && hasRoomFor(claim, pool),
      replacement: stageOf(replacement),
    };
  }

  async #apply({ step, claim: name }: RebalanceStep): Promise<void> {
    const claim = this.#options.claims.get({ name });
    if (claim === undefined) return;
    if (step === 'replace') await this.#replace(claim);
    if (step === 'leave') await this.#drain(claim);
    if (step === 'cancel') await this.#cancel(claim);
  }

  async #replace(claim: NodeClaim): Promise<void> {
    const { client, counters, log } = this.#options;
    const replacement = replacementFor(claim);
    try {
      await client.create(nodeClaims, replacement);
    } catch (error) {
      if (isAlreadyExists(error)) return;
      throw error;
    }
    const { name, labels = {} } = claim.metadata;
    log.info('launching replacement for nodeclaim', {
      NodeClaim: { name },
      replacement: replacement.metadata.name,
      reason,
    });
    counters.increment(nodeClaimMetrics.created, {
      reason,
      nodepool: labels[labelKeys.nodePool] ?? '',
      min_values_relaxed: 'false',
    });
  }

  async #drain(claim: NodeClaim): Promise<void> {
    const node = this.#nodes.get(claim.metadata.name);
    await this.#options.cluster.drain(node === undefined ? { claim } : { claim, node }, reason);
  }

  async #cancel(claim: NodeClaim): Promise<void> {
    const { client, claims, log } = this.#options;
    const name = replacementName(claim);
    if (claims.get({ name })?.metadata.deletionTimestamp !== undefined) return;
    try {
      await client.delete(nodeClaims, { name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    log.info('giving up replacement for nodeclaim', {
      NodeClaim: { name: claim.metadata.name },
      replacement: name,
    });
  }
}

function isProtected({ metadata }: KubeObject): boolean {
  return metadata?.annotations?.[annotationKeys.doNotDisrupt] === 'true';
}

function isUsable({ metadata }: NodePool): boolean {
  return metadata.deletionTimestamp === undefined;
}

function stageOf(replacement: NodeClaim | undefined): RecommendationView['replacement'] {
  if (replacement === undefined) return 'absent';
  const { metadata, status } = replacement;
  const ready = (status?.conditions ?? []).find(({ type }) => type === nodeClaimConditions.ready);
  return ready?.status === 'True' && metadata.deletionTimestamp === undefined ? 'ready' : 'starting';
}
