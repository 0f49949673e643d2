import { CodedError } from '@karpenter/core/errors';
import { isTerminating } from '@karpenter/core/state';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { ApiError, isConflict, isNotFound, type KubeClient } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { type AgentPod, hasLocalData, type PodChoice, podsToEvict, podText } from './agent-pods.ts';

export interface NodeDrainParts {
  readonly client: Pick<KubeClient, 'list' | 'find' | 'evict'>;
  readonly clock: Clock;
  /** Called after each accepted eviction. */
  readonly onEvicted: (pod: AgentPod) => void;
}

export interface NodeDrainOptions extends PodChoice {
  readonly deletesLocalData: boolean;
  /** Undefined for what each pod says itself. */
  readonly gracePeriodSeconds: number | undefined;
  /** 0 for no limit. */
  readonly timeout: DurationMs;
  readonly signal: AbortSignal;
}

const pollInterval = durationMs(1_000);
/** As kubectl waits between attempts that a PodDisruptionBudget refuses. */
const retryInterval = 5_000;

/**
 * Evicts the pods of a node through the Eviction API, so that PodDisruptionBudgets are respected, and waits until they
 * are gone. Every pass lists the pods again, so that one that was bound just before the cordon is evicted too.
 */
export class NodeDrain {
  readonly #parts: NodeDrainParts;
  readonly #options: NodeDrainOptions;
  /** When to try a pod again, and why it was refused; by uid. */
  readonly #refusals = new Map<string, { readonly until: Instant; readonly reason: string }>();

  constructor(parts: NodeDrainParts, options: NodeDrainOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Rejects with `drain-refused` before the first eviction, or with `drain-incomplete` when the time is over. */
  async run(): Promise<void> {
    const { clock, client } = this.#parts;
    const { timeout, signal } = this.#options;
    const deadline = timeout === 0 ? Number.POSITIVE_INFINITY : clock.now() + timeout;
    for (;;) {
      const pods = await podsToEvict(client, this.#options);
      if (pods.length === 0) return;
      this.#requireExpendableData(pods);
      await Promise.all(pods.filter((pod) => this.#isDue(pod)).map((pod) => this.#evict(pod)));
      const left = deadline - clock.now();
      if (left <= 0 || signal.aborted) throw this.#incomplete(pods);
      await clock.sleep(durationMs(Math.min(pollInterval, left)), signal);
    }
  }

  #requireExpendableData(pods: readonly AgentPod[]): void {
    if (this.#options.deletesLocalData) return;
    const kept = pods.filter(hasLocalData).map(podText);
    if (kept.length === 0) return;
    throw new CodedError(
      'drain-refused',
      `cannot drain node ${this.#options.nodeName}: ${kept.join(', ')} would lose the data of emptyDir volumes; set delete-local-data to evict them`,
      { details: { node: this.#options.nodeName, pods: kept.length } },
    );
  }

  #isDue(pod: AgentPod): boolean {
    const { until = 0 } = this.#refusals.get(pod.metadata.uid) ?? {};
    return !isTerminating(pod) && until <= this.#parts.clock.now();
  }

  /** The uid guards a new pod of the same name. */
  async #evict(pod: AgentPod): Promise<void> {
    const { client, clock, onEvicted } = this.#parts;
    const { gracePeriodSeconds, signal } = this.#options;
    const { namespace, name, uid } = pod.metadata;
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    try {
      await client.evict({ namespace, name }, { preconditions: { uid }, signal, ...grace });
      onEvicted(pod);
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
      const until = clock.now() + Math.max(retryInterval, asked);
      this.#refusals.set(uid, { until, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #incomplete(pods: readonly AgentPod[]): CodedError {
    const { nodeName } = this.#options;
    const texts = pods.map((pod) => {
      const reason = isTerminating(pod) ? undefined : this.#refusals.get(pod.metadata.uid)?.reason;
      return reason === undefined ? podText(pod) : `${podText(pod)} (${reason})`;
    });
    return new CodedError(
      'drain-incomplete',
      `cannot drain node ${nodeName} in time: still there ${pods.length === 1 ? 'is' : 'are'} ${texts.join(', ')}`,
      { details: { node: nodeName, pods: pods.length } },
    );
  }
}
