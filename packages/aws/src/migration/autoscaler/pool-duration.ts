import { parseDuration } from '@karpenter/core/values';

const pattern = /^(\d+[smh])+$/;
const secondNs = 1_000_000_000n;

/**
 * Converts a duration to the form that a NodePool accepts: whole hours, minutes and seconds. Cluster Autoscaler also
 * accepts `1.5h` and `500ms`, which are rounded up to seconds. Undefined if the text is not a duration.
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
