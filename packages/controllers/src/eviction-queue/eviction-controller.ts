import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  forcefulTerminationReason,
  formatTimestamp,
  nodeClaimConditions,
  podMetrics,
} from '@karpenter/core/api';
import { conditionOf } from '@karpenter/core/lifecycle';
import { evictionStep, nextTurn } from '@karpenter/core/termination';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { ApiError, isConflict, isNotFound, isTooManyRequests, type ObjectKey } from '@karpenter/kube/client';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedPod, PodsOnNodes, ProviderIdIndex } from '../machines/index.ts';
import type { StandIns } from '../surge-drain/index.ts';
import { disruptedEvent, evictedEvent, failedDrainingEvent, stayEvents } from './eviction-events.ts';
import type { Eviction, EvictionQueue } from './eviction-queue.ts';

export interface EvictionParts
  extends Pick<ControllerContext, 'client' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'> {
  readonly evictions: EvictionQueue;
  readonly pods: PodsOnNodes;
  readonly index: ProviderIdIndex;
  /** For pods that ask for another one before they go. */
  readonly standIns: Pick<StandIns, 'lets' | 'release'>;
}

/** Asks pods to go, one by one and as often as it takes; budgets may hold them, their node's deadline ends that. */
export class EvictionController implements Controller {
  readonly name = controllerNames.evictionQueue;
  readonly concurrency: number;
  readonly #parts: EvictionParts;

  constructor(parts: EvictionParts) {
    this.#parts = parts;
    this.concurrency = concurrency(concurrencyRanges.termination, parts.settings.cpuRequests);
  }

  async reconcile(key: string): Promise<ReconcileResult | undefined> {
    const { evictions, pods } = this.#parts;
    const eviction = evictions.get(key);
    if (eviction === undefined) return undefined;
    const { namespace, name, uid } = eviction;
    const pod = pods.cache.get({ namespace, name });
    const isOver = pod?.metadata.uid !== uid || (await this.#try(pod, eviction));
    if (!isOver) return { requeueAfter: this.#wait(key, pod, eviction) };
    evictions.remove(key);
    return undefined;
  }

  /** Longer after each try, but never beyond the moment from which the pod may, or must, go. */
  #wait(key: string, pod: CachedPod, { deadline }: Eviction): DurationMs {
    const now = this.#parts.clock.now();
    const backoff = this.#parts.evictions.nextTry(key);
    return durationMs(Math.min(backoff, (nextTurn(pod, deadline, now) ?? Number.POSITIVE_INFINITY) - now));
  }

  /** Whether nothing more is to be done for the pod. */
  async #try(pod: CachedPod, eviction: Eviction): Promise<boolean> {
    const { clock, recorder } = this.#parts;
    const step = evictionStep(pod, eviction.deadline, clock.now());
    if (step.act === 'delete') return this.#delete(pod, eviction, step.gracePeriodSeconds);
    if (step.act === 'drop') return true;
    recorder.publish(...stayEvents(pod, clock.now()));
    return step.act === 'evict' && (await this.#parts.standIns.lets(pod)) && this.#evict(pod, eviction);
  }

  async #delete(pod: CachedPod, eviction: Eviction, gracePeriodSeconds: number): Promise<boolean> {
    const { client, log, recorder } = this.#parts;
    const deadline = formatTimestamp(eviction.deadline ?? 0);
    const needed = pod.spec.terminationGracePeriodSeconds;
    log.debug('deleting pod', {
      namespace: eviction.namespace,
      name: eviction.name,
      'pod.terminationGracePeriodSeconds': needed,
      'delete.gracePeriodSeconds': gracePeriodSeconds,
      'nodeclaim.terminationTime': deadline,
    });
    const preconditions = { uid: eviction.uid };
    try {
      await client.delete(stateSources.Pod, keyOf(eviction), { gracePeriodSeconds, preconditions });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return true;
      log.error('failed deleting pod', { error: textOf(error) });
      return false;
    }
    recorder.publish(disruptedEvent(pod, { deadline, granted: gracePeriodSeconds, needed }));
    await this.#left(pod, eviction);
    return true;
  }

  async #evict(pod: CachedPod, eviction: Eviction): Promise<boolean> {
    const { client, meters, recorder } = this.#parts;
    try {
      await client.evict(keyOf(eviction), { preconditions: { uid: eviction.uid } });
    } catch (error) {
      return this.#refused(eviction, error);
    }
    meters.increment(podMetrics.evictionRequests, { code: '200' });
    recorder.publish(evictedEvent(pod, this.#reasonOf(eviction)));
    await this.#left(pod, eviction);
    return true;
  }

  /** Whether the refusal settles the matter: the pod, or this one of its name, is gone. */
  #refused(eviction: Eviction, error: unknown): boolean {
    const { log, meters } = this.#parts;
    if (error instanceof ApiError) {
      meters.increment(podMetrics.evictionRequests, { code: String(error.status) });
    }
    if (isNotFound(error) || isConflict(error)) return true;
    const text = textOf(error);
    if (isTooManyRequests(error)) this.#tellNode(eviction, 'evicting pod violates a PDB');
    else if (text.includes('more than one PodDisruptionBudget')) {
      this.#tellNode(eviction, 'eviction does not support multiple PDBs');
    } else log.error('failed evicting pod', { error: text });
    return false;
  }

  #tellNode({ namespace, name, nodeName }: Eviction, why: string): void {
    const node = this.#parts.index.nodes.get({ name: nodeName });
    if (node === undefined) return;
    this.#parts.recorder.publish(failedDrainingEvent(node, `${why} (Pod=${namespace}/${name})`));
  }

  async #left(pod: CachedPod, eviction: Eviction): Promise<void> {
    this.#parts.meters.increment(podMetrics.drained, { reason: this.#reasonOf(eviction) });
    await this.#parts.standIns.release(pod);
  }

  /** Why the node goes; nothing where it or its claim is gone already. */
  #reasonOf({ nodeName }: Eviction): string {
    const { index } = this.#parts;
    const node = index.nodes.get({ name: nodeName });
    const claim = node === undefined ? undefined : index.claimOf(node);
    if (claim === undefined) return '';
    return conditionOf(claim, nodeClaimConditions.disruptionReason)?.reason || forcefulTerminationReason;
  }
}

function keyOf({ namespace, name }: Eviction): ObjectKey {
  return { namespace, name };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
