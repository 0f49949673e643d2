import { type DurationMs, nsToDurationMs, parseDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { PodDelays } from './simulated-node.ts';

const prefix = 'kubelet.sim.karpenter.sh';

/** Annotations with which a pod sets its simulated behaviour. All are durations except the exit code. */
export const podAnnotations = {
  create: `${prefix}/create-delay`,
  init: `${prefix}/init-delay`,
  ready: `${prefix}/ready-delay`,
  run: `${prefix}/run-for`,
  stop: `${prefix}/stop-delay`,
  exitCode: `${prefix}/exit-code`,
} as const;

/** CrashLoopBackOff of the kubelet: doubles from 10 seconds to 5 minutes. */
const firstRestartDelayMs = 10_000;
const maxRestartDelayMs = 300_000;

/** One run of the containers of a pod, from start to end. */
export interface ContainerRun {
  readonly startedAt: Instant;
  /** Absent if they do not end by themselves. */
  readonly endedAt?: Instant;
}

/**
 * When each step of a pod's life happens, derived from the time of its admission. Nothing else is stored, so
 * that a restarted kubelet comes to the same result.
 */
export interface Timetable {
  /** When each init container ends; sidecars are not included. */
  readonly initEnds: readonly Instant[];
  readonly createdAt: Instant;
  /** The current or last run. */
  readonly run: ContainerRun;
  readonly previous: ContainerRun | undefined;
  readonly restarts: number;
  readonly readyAt: Instant;
  readonly exitCode: number;
  /** Whether the containers do not restart after this run. */
  readonly isLast: boolean;
}

export function delaysOf({ metadata }: Pod, defaults: PodDelays): PodDelays {
  const annotations = metadata?.annotations ?? {};
  const stated = (name: keyof PodDelays): DurationMs => {
    const text = annotations[podAnnotations[name]];
    return text === undefined ? defaults[name] : nsToDurationMs(parseDuration(text, podAnnotations[name]));
  };
  return {
    create: stated('create'),
    init: stated('init'),
    ready: stated('ready'),
    run: stated('run'),
    stop: stated('stop'),
  };
}

/**
 * How long a run lasts; undefined for a pod that restarts always and has no `run-for` annotation: it does not
 * end.
 */
function runTime({ metadata, spec }: Pod, delays: PodDelays): DurationMs | undefined {
  const isStated = metadata?.annotations?.[podAnnotations.run] !== undefined;
  const isEndless = (spec?.restartPolicy ?? 'Always') === 'Always';
  return isStated || !isEndless ? delays.run : undefined;
}

function restartsAfter({ spec }: Pod, exitCode: number): boolean {
  const policy = spec?.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

interface TimetableInputs {
  readonly admittedAt: Instant;
  readonly delays: PodDelays;
  readonly now: Instant;
}

export function timetable(pod: Pod, { admittedAt, delays, now }: TimetableInputs): Timetable {
  const createdAt = admittedAt + delays.create;
  const steps = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== 'Always');
  const initEnds = steps.map((_, index) => createdAt + (index + 1) * delays.init);
  const exitCode = Number(pod.metadata?.annotations?.[podAnnotations.exitCode] ?? 0) || 0;
  const runs = currentRun(pod, initEnds.at(-1) ?? createdAt, { delays, exitCode, now });
  return { ...runs, initEnds, createdAt, exitCode, readyAt: runs.run.startedAt + delays.ready };
}

interface RunOptions {
  readonly delays: PodDelays;
  readonly exitCode: number;
  readonly now: Instant;
}

/** Iterates over the runs to the current one, or the last. */
function currentRun(
  pod: Pod,
  firstStart: Instant,
  { delays, exitCode, now }: RunOptions,
): Pick<Timetable, 'run' | 'previous' | 'restarts' | 'isLast'> {
  const length = runTime(pod, delays);
  if (length === undefined) {
    return { run: { startedAt: firstStart }, previous: undefined, restarts: 0, isLast: false };
  }
  const isLast = !restartsAfter(pod, exitCode);
  let run: ContainerRun = { startedAt: firstStart, endedAt: firstStart + length };
  let previous: ContainerRun | undefined;
  let restarts = 0;
  for (let wait = firstRestartDelayMs; !isLast; wait = Math.min(maxRestartDelayMs, wait * 2)) {
    const next = (run.endedAt ?? now) + wait;
    if (next > now) break;
    previous = run;
    run = { startedAt: next, endedAt: next + length };
    restarts += 1;
  }
  return { run, previous, restarts, isLast };
}

/** When the status changes next; undefined if it does not. */
export function nextChange(table: Timetable, now: Instant): Instant | undefined {
  const { createdAt, initEnds, run, readyAt, isLast, restarts } = table;
  const backoff = Math.min(maxRestartDelayMs, firstRestartDelayMs * 2 ** restarts);
  const ends = run.endedAt === undefined ? [] : [run.endedAt, ...(isLast ? [] : [run.endedAt + backoff])];
  const later = [createdAt, ...initEnds, run.startedAt, readyAt, ...ends].filter((at) => at > now);
  return later.length === 0 ? undefined : Math.min(...later);
}
