import { annotationKeys, timestampMs } from '../../api/index.ts';
import { nsToDurationMs, parseDuration } from '../../values/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { isActive } from './pod-state.ts';

/** What the annotation `karpenter.sh/do-not-disrupt` of a pod requests. */
export type DoNotDisrupt =
  | { readonly kind: 'none' }
  /** The value cannot be parsed and protects nothing. */
  | { readonly kind: 'invalid'; readonly problem: string }
  /**
   * Protected until then, in milliseconds since 1970; infinite for `"true"`, and for a duration while the pod
   * has no start time.
   */
  | { readonly kind: 'protected'; readonly until: number };

/**
 * Reads the annotation: `"true"`, or a positive duration counted from the pod's start. Terminal and
 * terminating pods are never protected.
 */
export function doNotDisrupt(pod: ClusterPod): DoNotDisrupt {
  const text = pod.metadata.annotations?.[annotationKeys.doNotDisrupt];
  if (text === undefined || !isActive(pod)) return { kind: 'none' };
  if (text === 'true') return { kind: 'protected', until: Number.POSITIVE_INFINITY };
  const span = parseProtection(text);
  if (typeof span === 'string') return { kind: 'invalid', problem: span };
  const start = timestampMs(pod.status?.startTime);
  return { kind: 'protected', until: start === undefined ? Number.POSITIVE_INFINITY : start + span };
}

/** Whether the pod is protected from disruption at the instant `at`. */
export function isProtected(pod: ClusterPod, at: number): boolean {
  const protection = doNotDisrupt(pod);
  return protection.kind === 'protected' && at < protection.until;
}

/** The duration in milliseconds, or a message that says what is wrong with the text. */
function parseProtection(text: string): number | string {
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds > 0n
      ? nsToDurationMs(nanoseconds)
      : `duration ${JSON.stringify(text)} is not positive`;
  } catch {
    return `${JSON.stringify(text)} is neither "true" nor a duration`;
  }
}
