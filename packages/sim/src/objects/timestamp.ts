import type { Instant } from '@karpenter/kube/runtime';

/** The format of `metav1.Time`, in whole seconds. */
export function timestamp(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** The format of `metav1.MicroTime`, in microseconds. */
export function microTimestamp(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 23)}000Z`;
}

/** Undefined for an absent or malformed time. */
export function instantOf(text: string | undefined): Instant | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
