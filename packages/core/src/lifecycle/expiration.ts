import { type NodeClaim, timestampMs } from '../api/index.ts';
import { nsToDurationMs, parseNillableDuration } from '../values/index.ts';

/** When the claim expires, in milliseconds since 1970; undefined if it never does. */
export function expiryOf({ metadata, spec }: NodeClaim): number | undefined {
  const created = timestampMs(metadata.creationTimestamp);
  const { ns } = parseNillableDuration(spec.expireAfter ?? 'Never', 'spec.expireAfter');
  return created === undefined || ns === undefined ? undefined : created + nsToDurationMs(ns);
}
