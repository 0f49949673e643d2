import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { CacheSet } from '@karpenter/kube/cache';
import { isNotFound, type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { ComponentEventRecorder } from '../objects/event-recorder.ts';
import { timestamp } from '../objects/timestamp.ts';
import type { PodInfo } from './pods/pod-info.ts';

const selectedNode = 'volume.kubernetes.io/selected-node';
/** The bindTimeoutSeconds of the VolumeBinding plugin. */
const volumeTimeout: DurationMs = durationMs(10 * 60_000);

export interface PodWriterOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly events: ComponentEventRecorder;
  readonly signal: AbortSignal;
}

/** Writes the decisions of the scheduler to the API server. */
export class PodWriter {
  readonly #options: PodWriterOptions;

  constructor(options: PodWriterOptions) {
    this.#options = options;
  }

  /**
   * Binds claims that wait for their first consumer, then the pod. Rejects if a volume does not come in time
   * or the API server refuses; the pod must then be scheduled again.
   */
  async bind({ pod, claims, identity }: PodInfo, nodeName: string): Promise<void> {
    const { client, events } = this.#options;
    for (const name of claims) await this.#bindClaim({ namespace: identity.namespace, name }, nodeName);
    const key = keyOf(pod);
    await client.bind(key, nodeName);
    events.publish(kinds.pod, pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${key.namespace}/${key.name} to ${nodeName}`,
    });
  }

  /**
   * Reports in an event and in the PodScheduled condition why no node fits. Karpenter waits for this
   * condition. Writes nothing if the condition has the same message already.
   */
  async fail({ pod }: PodInfo, message: string): Promise<void> {
    const { events } = this.#options;
    events.publish(kinds.pod, pod, { type: 'Warning', reason: 'FailedScheduling', message });
    const current = this.#options.caches.of(kinds.pod).get(keyOf(pod)) ?? pod;
    const condition = current.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (condition?.status === 'False' && condition.message === message) return;
    await this.#patchStatus(pod, {
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message,
          lastProbeTime: null,
          lastTransitionTime: this.#transition(
            condition?.status === 'False' ? condition.lastTransitionTime : undefined,
          ),
        },
      ],
    });
  }

  /** Deletes the victims and nominates the node for the pod. */
  async preempt({ pod }: PodInfo, nodeName: string, victims: readonly PodInfo[]): Promise<void> {
    const { client, events } = this.#options;
    for (const { pod: victim } of victims) {
      await this.#patchStatus(victim, { conditions: [this.#disruptionTarget(pod)] });
      await client
        .delete(
          kinds.pod,
          keyOf(victim),
          victim.metadata?.uid ? { preconditions: { uid: victim.metadata.uid } } : {},
        )
        .catch(ignoreAbsence);
      events.publish(kinds.pod, victim, {
        type: 'Normal',
        reason: 'Preempted',
        message: `Preempted by pod ${pod.metadata?.uid ?? ''} on node ${nodeName}`,
      });
    }
    await this.#patchStatus(pod, { nominatedNodeName: nodeName });
  }

  #disruptionTarget(pod: Pod) {
    return {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${pod.spec?.schedulerName ?? 'default-scheduler'}: preempting to accommodate a higher priority pod`,
      lastProbeTime: null,
      lastTransitionTime: this.#transition(undefined),
    };
  }

  #transition(kept: string | undefined): string {
    return kept ?? timestamp(this.#options.clock.now());
  }

  async #patchStatus(pod: Pod, status: object): Promise<void> {
    const patch = { type: 'strategic', body: { status } } as const;
    await this.#options.client
      .patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' })
      .catch(ignoreAbsence);
  }

  /**
   * A WaitForFirstConsumer claim gets the selected-node annotation; the volume controller then provisions its
   * volume in that node's zone.
   */
  async #bindClaim(key: { namespace: string; name: string }, nodeName: string): Promise<void> {
    const claims = this.#options.caches.of(kinds.persistentVolumeClaim);
    const claim = claims.get(key);
    if (claim === undefined || isBound(claim)) return;
    const body = { metadata: { annotations: { [selectedNode]: nodeName } } };
    await this.#options.client.patch(kinds.persistentVolumeClaim, key, { type: 'merge', body });
    await this.#untilBound(key);
  }

  async #untilBound(key: { namespace: string; name: string }): Promise<void> {
    const { caches, clock, signal } = this.#options;
    const bound = new AbortController();
    const stop = caches.of(kinds.persistentVolumeClaim).subscribe(({ object }) => {
      if (object.metadata?.name !== key.name || object.metadata.namespace !== key.namespace) return;
      if (isBound(object)) bound.abort();
    });
    await clock.sleep(volumeTimeout, AbortSignal.any([bound.signal, signal]));
    stop();
    if (!bound.signal.aborted) throw new VolumeTimeout(key);
  }
}

/** The claim got no volume in time; the scheduler retries the pod. */
class VolumeTimeout extends Error {
  constructor({ namespace, name }: { namespace: string; name: string }) {
    super(`persistentvolumeclaim ${namespace}/${name} was not bound in time`);
    this.name = 'VolumeTimeout';
  }
}

function isBound({ status }: PersistentVolumeClaim): boolean {
  return status?.phase === 'Bound';
}

function ignoreAbsence(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
