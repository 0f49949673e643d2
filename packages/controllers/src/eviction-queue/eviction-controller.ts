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
import { evictionStep, nextStepTime } from '@karpenter/core/termination';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { ApiError, isConflict, isNotFound, isTooManyRequests, type ObjectKey } from '@karpenter/kube/client';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedPod, PodsOnNodes, ProviderIdIndex } from '../instances/index.ts';
import type { SurgePods } from '../surge-drain/index.ts';
import type { BlockingPdbs } from './blocking-pdbs.ts';
import { disruptedEvent, doNotDisruptEvents, evictedEvent, failedDrainingEvent } from './eviction-events.ts';
import type { Eviction, EvictionQueue } from './eviction-queue.ts';

export interface EvictionParts
  extends Pick<ControllerContext, 'client' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'> {
  readonly evictions: EvictionQueue;
  readonly pods: PodsOnNodes;
  readonly index: ProviderIdIndex;
  readonly budgets: BlockingPdbs;
  /** For pods with the surge-drain annotation, which are replaced before they are evicted. */
  readonly surgePods: Pick<SurgePods, 'allowsEviction' | 'release'>;
}

/**
 * Evicts one pod per reconcile through the eviction API, so that PDBs are respected, and retries with backoff
 * until the pod is gone. At the deadline of its node the pod is deleted instead, which bypasses PDBs and
 * do-not-disrupt.
 */
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
    const isDone = pod?.metadata.uid !== uid || (await this.#try(pod, eviction));
    // The eviction queue counts the failures: the runner resets its own count when a reconcile does not
    // throw.
    if (!isDone) return { requeueAfter: this.#wait(key, pod, eviction) };
    evictions.remove(key);
    return undefined;
  }

  /** The backoff, but never beyond the moment at which do-not-disrupt ends or the forced deletion is due. */
  #wait(key: string, pod: CachedPod, { deadline }: Eviction): DurationMs {
    const now = this.#parts.clock.now();
    const backoff = this.#parts.evictions.nextTry(key);
    return durationMs(
      Math.min(backoff, (nextStepTime(pod, deadline, now) ?? Number.POSITIVE_INFINITY) - now),
    );
  }

  /** Makes one attempt. Returns whether the pod needs no further attempt. */
  async #try(pod: CachedPod, eviction: Eviction): Promise<boolean> {
    const { clock, recorder } = this.#parts;
    const step = evictionStep(pod, eviction.deadline, clock.now());
    if (step.act === 'delete') return this.#delete(pod, eviction, step.gracePeriodSeconds);
    // Nothing is left to request; node.termination itself waits until terminating pods are gone.
    if (step.act === 'drop') return true;
    recorder.publish(...doNotDisruptEvents(pod, clock.now()));
    if (step.act !== 'evict' || !(await this.#parts.surgePods.allowsEviction(pod))) return false;
    return this.#evict(pod, eviction);
  }

  /**
   * Deletes a pod at its deadline with the grace period that is left. The uid protects a new pod with the same
   * name.
   */
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
    await this.#finish(pod, eviction);
    return true;
  }

  /** Calls the eviction API. The uid protects a new pod with the same name. */
  async #evict(pod: CachedPod, eviction: Eviction): Promise<boolean> {
    const { client, meters, recorder, evictions } = this.#parts;
    try {
      await client.evict(keyOf(eviction), { preconditions: { uid: eviction.uid } });
    } catch (error) {
      return this.#handleRefusal(pod, eviction, error);
    }
    evictions.accepted(eviction);
    meters.increment(podMetrics.evictionRequests, { code: '200' });
    recorder.publish(evictedEvent(pod, this.#reasonOf(eviction)));
    await this.#finish(pod, eviction);
    return true;
  }

  /**
   * Handles a refused eviction. Returns true when the pod is gone (404) or replaced by another of its name
   * (409). The response is 429 if a PDB allows no disruption, and 500 with a text if the pod has more than one PDB.
   */
  #handleRefusal(pod: CachedPod, eviction: Eviction, error: unknown): boolean {
    const { log, meters } = this.#parts;
    if (error instanceof ApiError) {
      meters.increment(podMetrics.evictionRequests, { code: String(error.status) });
    }
    // If the pod does exist, the next poll of its Node adds it again.
    if (isNotFound(error) || isConflict(error)) return true;
    const text = textOf(error);
    if (isTooManyRequests(error)) this.#publishFailedDraining(pod, eviction, 'evicting pod violates a PDB');
    else if (text.includes('more than one PodDisruptionBudget')) {
      this.#publishFailedDraining(pod, eviction, 'eviction does not support multiple PDBs');
    } else log.error('failed evicting pod', { error: text });
    return false;
  }

  #publishFailedDraining(pod: CachedPod, { namespace, name, nodeName }: Eviction, why: string): void {
    const { index, recorder, budgets } = this.#parts;
    const node = index.nodes.get({ name: nodeName });
    if (node === undefined) return;
    recorder.publish(failedDrainingEvent(node, `${why} (Pod=${namespace}/${name})${budgets.ofPod(pod)}`));
  }

  /** Counts the drained pod, and scales its Deployment back if it was scaled up for the drain. */
  async #finish(pod: CachedPod, eviction: Eviction): Promise<void> {
    this.#parts.meters.increment(podMetrics.drained, { reason: this.#reasonOf(eviction) });
    // If this fails, the controller `surge-drain` scales the Deployment back.
    await this.#parts.surgePods.release(pod);
  }

  /**
   * The DisruptionReason of the node, or `Forceful Termination` if no method disrupted it. As in Karpenter it is empty
   * when the Node or its NodeClaim is gone.
   */
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
