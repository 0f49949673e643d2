import { parseDuration } from '@karpenter/core/values';

const pattern = /^(\d+[smh])+$/;
const secondNs = 1_000_000_000n;

/**
 * A duration as a NodePool takes it: whole hours, minutes and seconds. Cluster Autoscaler takes `1.5h` and `500ms` too,
 * which are rounded up to seconds. Undefined for what is no duration.
 */
export function poolDuration(text: string): string | undefined {
  if (pattern.test(text)) return text;
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds < 0n ? undefined : `${(nanoseconds + secondNs - 1n) / secondNs}s`;
  } catch {
    return undefined;
  }
}
