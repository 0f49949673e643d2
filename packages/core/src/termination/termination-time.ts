import { annotationKeys, formatTimestamp, type NodeClaim, timestampMs } from '../api/index.ts';
import { nsToDurationMs, parseDuration } from '../values/index.ts';

/**
 * When the last pods of a claim's node are deleted, in milliseconds since 1970; undefined without a grace
 * period.
 */
export function terminationTime(claim: NodeClaim | undefined): number | undefined {
  return timestampMs(claim?.metadata.annotations?.[annotationKeys.terminationTimestamp]);
}

/**
 * The annotation value for a claim that is being deleted and has a terminationGracePeriod; undefined without
 * one, or if the annotation is set already, since it must never be extended.
 */
export function dueTerminationTime({ metadata, spec }: NodeClaim): string | undefined {
  const deleted = timestampMs(metadata.deletionTimestamp);
  const isSet = metadata.annotations?.[annotationKeys.terminationTimestamp] !== undefined;
  if (deleted === undefined || isSet || spec.terminationGracePeriod === undefined) return undefined;
  const period = parseDuration(spec.terminationGracePeriod, 'spec.terminationGracePeriod');
  return formatTimestamp(deleted + nsToDurationMs(period));
}
