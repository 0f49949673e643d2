import { annotationKeys, formatTimestamp, surgeTuning, timestampMs } from '../api/index.ts';
import type { ClusterPod } from '../state/index.ts';
import { type DurationMs, nsToDurationMs, parseDuration } from '../values/index.ts';

/** The fields of a Deployment that are read. */
export interface SurgingWorkload {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly replicas?: number; readonly strategy?: { readonly type?: string } };
}

/** Recorded on a Deployment that was scaled up because its only pod is about to be evicted. */
export interface SurgeMark {
  readonly podName: string;
  readonly podUid: string;
  /** In milliseconds since 1970. */
  readonly since: number;
}

export interface SurgeInput {
  readonly pod: ClusterPod;
  readonly workload: SurgingWorkload | undefined;
  /** Another pod of the workload is ready on a node that is not draining. */
  readonly hasStandIn: boolean;
  readonly at: number;
}

/** Evict the pod, scale up first, or wait for the second pod. */
export type SurgeStep = 'evict' | 'scale-up' | 'wait';

/** A workload with a single pod would be down while the pod moves, so a second pod starts first (ADR 0024). */
export function surgeStep({ pod, workload, hasStandIn, at }: SurgeInput): SurgeStep {
  const timeout = surgeTimeout(pod);
  if (timeout === undefined || workload?.spec === undefined) return 'evict';
  const mark = surgeMark(workload);
  if (mark === undefined) return isSinglePod(workload.spec) ? 'scale-up' : 'evict';
  if (mark.podUid !== pod.metadata.uid || hasStandIn || at >= mark.since + timeout) return 'evict';
  return 'wait';
}

/**
 * How long to wait for the second pod; undefined if the pod does not opt in, or the value cannot be parsed.
 */
export function surgeTimeout({ metadata }: Pick<ClusterPod, 'metadata'>): DurationMs | undefined {
  const text = metadata.annotations?.[annotationKeys.surgeDrain];
  if (text === undefined || text === 'false') return undefined;
  if (text === 'true') return surgeTuning.timeout;
  try {
    return nsToDurationMs(parseDuration(text));
  } catch {
    return undefined;
  }
}

/** The strategy Recreate means that two pods must never run at once. */
function isSinglePod({ replicas = 1, strategy }: NonNullable<SurgingWorkload['spec']>): boolean {
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
