import { annotationKeys, formatTimestamp, surgeTuning, timestampMs } from '../api/index.ts';
import type { ClusterPod } from '../state/index.ts';
import { type DurationMs, nsToDurationMs, parseDuration } from '../values/index.ts';

/** What is read of the Deployment of a pod. */
export interface SurgingWorkload {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly replicas?: number; readonly strategy?: { readonly type?: string } };
}

/** Written on a Deployment that runs a second pod because the only one it had is about to go. */
export interface SurgeMark {
  readonly podName: string;
  readonly podUid: string;
  /** In milliseconds since 1970. */
  readonly since: number;
}

export interface SurgeInput {
  readonly pod: ClusterPod;
  readonly workload: SurgingWorkload | undefined;
  /** Another pod of the workload is ready, on a node that stays. */
  readonly hasStandIn: boolean;
  readonly at: number;
}

/** Evict the pod, start another one first, or wait for that one. */
export type SurgeStep = 'evict' | 'scale-up' | 'wait';

/** A workload with one pod is away while that pod moves, unless another one is there before. */
export function surgeStep({ pod, workload, hasStandIn, at }: SurgeInput): SurgeStep {
  const patience = surgePatience(pod);
  if (patience === undefined || workload?.spec === undefined) return 'evict';
  const mark = surgeMark(workload);
  if (mark === undefined) return isAlone(workload.spec) ? 'scale-up' : 'evict';
  if (mark.podUid !== pod.metadata.uid || hasStandIn || at >= mark.since + patience) return 'evict';
  return 'wait';
}

/** For how long a stand-in is waited for; undefined where nobody asked for one, or not so that it could be read. */
export function surgePatience({ metadata }: Pick<ClusterPod, 'metadata'>): DurationMs | undefined {
  const text = metadata.annotations?.[annotationKeys.surgeDrain];
  if (text === undefined || text === 'false') return undefined;
  if (text === 'true') return surgeTuning.patience;
  try {
    return nsToDurationMs(parseDuration(text));
  } catch {
    return undefined;
  }
}

/** Who recreates pods does so because two must never run at once. */
function isAlone({ replicas = 1, strategy }: NonNullable<SurgingWorkload['spec']>): boolean {
  return replicas === 1 && strategy?.type !== 'Recreate';
}

export function surgeMark({ metadata }: SurgingWorkload): SurgeMark | undefined {
  const [podName, podUid, time] = (metadata?.annotations?.[annotationKeys.surgeOf] ?? '').split(' ');
  const since = timestampMs(time);
  if (podName === undefined || podUid === undefined || since === undefined) return undefined;
  return { podName, podUid, since };
}

export function formatSurgeMark({ podName, podUid, since }: SurgeMark): string {
  return `${podName} ${podUid} ${formatTimestamp(since)}`;
}
