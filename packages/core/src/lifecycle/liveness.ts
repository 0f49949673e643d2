import {
  forcedDisruptionReasons,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  timestampMs,
} from '../api/index.ts';
import { type DurationMs, durationMs } from '../values/index.ts';
import { conditionOf, isTrue } from './claim-status.ts';

/** How long a claim may still take, or that it has taken too long. */
export type Liveness =
  | { readonly verdict: 'settled' }
  | { readonly verdict: 'waiting'; readonly for: DurationMs }
  | { readonly verdict: 'expired'; readonly reason: string; readonly timeout: DurationMs };

interface Timeout {
  readonly condition: string;
  readonly reason: string;
  readonly timeout: DurationMs;
}

const timeouts: readonly Timeout[] = [
  {
    condition: nodeClaimConditions.launched,
    reason: forcedDisruptionReasons.launchTimeout,
    timeout: lifecycleTuning.launchTimeout,
  },
  {
    condition: nodeClaimConditions.registered,
    reason: forcedDisruptionReasons.registrationTimeout,
    timeout: lifecycleTuning.registrationTimeout,
  },
];

/**
 * Machines that do not come, or come and never join, are given up, so that others are made for their pods. A node
 * that has joined is never given up for being slow.
 */
export function livenessOf(claim: NodeClaim, at: number): Liveness {
  if (isTrue(claim, nodeClaimConditions.registered)) return { verdict: 'settled' };
  const open = timeouts.filter(({ condition }) => !isTrue(claim, condition));
  const remaining = open.map((timeout) => ({ ...timeout, left: timeLeft(claim, timeout, at) }));
  const expired = remaining.find(({ left }) => left <= 0);
  if (expired !== undefined) {
    return { verdict: 'expired', reason: expired.reason, timeout: expired.timeout };
  }
  return { verdict: 'waiting', for: durationMs(Math.min(...remaining.map(({ left }) => left))) };
}

/** Counted from the last change of status, which for both conditions is the creation of the claim. */
function timeLeft(claim: NodeClaim, { condition, timeout }: Timeout, at: number): number {
  const since = conditionOf(claim, condition)?.lastTransitionTime ?? claim.metadata.creationTimestamp;
  return (timestampMs(since) ?? at) + timeout - at;
}
