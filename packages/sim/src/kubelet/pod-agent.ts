import { isNotFound, type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { type PodInfo, podInfo } from '../kube-scheduler/pods/pod-info.ts';
import { canonicalText } from '../kube-scheduler/pods/pod-selection.ts';
import type { ComponentEventRecorder } from '../objects/event-recorder.ts';
import { keyTextOf } from '../objects/object-key.ts';
import { isFinished, isTerminating } from '../objects/pod-status.ts';
import { instantOf } from '../objects/timestamp.ts';
import type { Kubelet, PodRun } from './kubelet.ts';
import { hostIp } from './node-object.ts';
import { phaseAt, podStatusAt, rejectedStatus, stoppedStatus } from './pod-status.ts';
import { delaysOf, nextChange, timetable } from './pod-timetable.ts';

const defaultGraceSeconds = 30;

export interface PodAgentOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: ComponentEventRecorder;
  readonly nextPodIp: () => string;
}

/** Runs pods for kubelets: admits them, reports their status and terminates them. */
export class PodAgent {
  readonly #options: PodAgentOptions;

  constructor(options: PodAgentOptions) {
    this.#options = options;
  }

  /**
   * Writes what is due for the pod. Returns when to call again. Rejects on API errors; the caller retries.
   */
  async sync(kubelet: Kubelet, pod: Pod): Promise<Instant | undefined> {
    const key = keyTextOf(pod);
    const known = kubelet.runs.get(key);
    if (known !== undefined && known.uid !== pod.metadata?.uid) kubelet.forget(key);
    if (isTerminating(pod)) return this.#terminate(kubelet, pod, key);
    if (isFinished(pod)) {
      kubelet.release(key);
      return undefined;
    }
    const run = kubelet.runs.get(key) ?? (await this.#admit(kubelet, pod, podInfo(pod)));
    return run === undefined ? undefined : this.#report(kubelet, pod, run);
  }

  async #admit(kubelet: Kubelet, pod: Pod, info: PodInfo): Promise<PodRun | undefined> {
    const { clock, events } = this.#options;
    const now = clock.now();
    const startTime = instantOf(pod.status?.startTime);
    const run: PodRun = {
      uid: pod.metadata?.uid ?? '',
      admittedAt: startTime === undefined ? now : resumedAt(pod, startTime, { kubelet, now }),
      podIp:
        pod.status?.podIP ??
        (pod.spec?.hostNetwork === true ? hostIp(kubelet.node) : this.#options.nextPodIp()),
    };
    // The pod was admitted before a restart of this process; it is not checked again.
    if (startTime !== undefined) {
      kubelet.resume(info, run);
      return run;
    }
    const rejection = kubelet.admit(info, run);
    if (rejection === undefined) return run;
    const { reason, message } = rejection;
    await this.#write(pod, rejectedStatus(rejection, now));
    events.publish(kinds.pod, pod, { type: 'Warning', reason, message });
    return undefined;
  }

  async #report(kubelet: Kubelet, pod: Pod, run: PodRun): Promise<Instant | undefined> {
    const now = this.#options.clock.now();
    const table = timetable(pod, { admittedAt: run.admittedAt, delays: delaysOf(pod, kubelet.delays), now });
    const place = { hostIp: hostIp(kubelet.node), podIp: run.podIp, admittedAt: run.admittedAt };
    const status = podStatusAt(pod, table, place, now);
    if (!isReported(pod.status, status)) await this.#write(pod, status);
    const phase = phaseAt(table, now);
    if (phase === 'Succeeded' || phase === 'Failed')
      kubelet.release(`${pod.metadata?.namespace}/${pod.metadata?.name}`);
    return nextChange(table, now);
  }

  async #terminate(kubelet: Kubelet, pod: Pod, key: string): Promise<Instant | undefined> {
    const now = this.#options.clock.now();
    const run = kubelet.runs.get(key);
    const at = run === undefined || isFinished(pod) ? now : stopAt(kubelet, pod);
    if (at > now) return at;
    // Controllers with a finalizer on the pod, such as the Job controller, need to see how it ended.
    if ((pod.metadata?.finalizers ?? []).length > 0 && !isFinished(pod)) {
      await this.#write(pod, stoppedStatus(pod, run?.admittedAt ?? now, now));
    }
    kubelet.release(key);
    await this.#remove(pod);
    return undefined;
  }

  async #remove(pod: Pod): Promise<void> {
    const uid = pod.metadata?.uid;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await ignoreNotFound(
      this.#options.client.delete(kinds.pod, keyOf(pod), { gracePeriodSeconds: 0, ...preconditions }),
    );
  }

  async #write(pod: Pod, status: PodStatus): Promise<void> {
    const patch = { type: 'strategic', body: { status } } as const;
    await ignoreNotFound(this.#options.client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }));
  }
}

/**
 * When the kubelet admitted a pod before a restart. The API has only whole seconds; the start time of the
 * first container gives the milliseconds, so that the status does not change after the restart.
 */
function resumedAt(pod: Pod, startTime: Instant, on: { kubelet: Kubelet; now: Instant }): Instant {
  const [first] = pod.status?.containerStatuses ?? [];
  const shown = instantOf(first?.state?.running?.startedAt);
  const table = timetable(pod, {
    admittedAt: startTime,
    delays: delaysOf(pod, on.kubelet.delays),
    now: on.now,
  });
  if (shown === undefined || table.restarts !== first?.restartCount) return startTime;
  return startTime + Math.min(999, Math.max(0, shown - table.run.startedAt));
}

/** When a terminating pod ends. The API server sets deletionTimestamp to the end of the grace period. */
function stopAt({ delays }: Kubelet, pod: Pod): Instant {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata ?? {};
  const graceMs =
    (deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000;
  const requestedAt = (instantOf(deletionTimestamp) ?? 0) - graceMs;
  return requestedAt + Math.min(delaysOf(pod, delays).stop, graceMs);
}

/** Whether the API server has all of this status already. */
function isReported(known: PodStatus | undefined, status: PodStatus): boolean {
  if (known === undefined || known.phase !== status.phase) return false;
  if (status.podIP !== undefined && known.podIP !== status.podIP) return false;
  const conditions = new Map(known.conditions?.map((condition) => [condition.type, condition]));
  const isShown = (status.conditions ?? []).every(({ type, status: is, reason }) => {
    const shown = conditions.get(type);
    return shown?.status === is && shown.reason === reason;
  });
  return (
    isShown &&
    canonicalText(known.containerStatuses) === canonicalText(status.containerStatuses) &&
    canonicalText(known.initContainerStatuses) === canonicalText(status.initContainerStatuses)
  );
}

async function ignoreNotFound(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
