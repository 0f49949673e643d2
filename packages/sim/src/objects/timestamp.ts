import type { Instant } from '@karpenter/kube/runtime';

/** Whole seconds, as `metav1.Time` is written. */
export function timestamp(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Microseconds, as `metav1.MicroTime` is written. */
export function microTimestamp(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 23)}000Z`;
}

/** Undefined for what is absent or no time. */
export function instantOf(text: string | undefined): Instant | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
