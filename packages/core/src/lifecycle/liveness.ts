import {
  forcedDisruptionReasons,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  timestampMs,
} from '../api/index.ts';
import { type DurationMs, durationMs } from '../values/index.ts';
import { conditionOf, isTrue } from './claim-status.ts';

/** How much time a claim has left to launch and register, or that it has timed out. */
export type LivenessVerdict =
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
 * A claim that does not launch, or launches and does not register, times out and is deleted, so that its pods
 * get another node. A registered node never times out, however slowly it initializes.
 */
export function livenessOf(claim: NodeClaim, at: number): LivenessVerdict {
  if (isTrue(claim, nodeClaimConditions.registered)) return { verdict: 'settled' };
  const pending = timeouts.filter(({ condition }) => !isTrue(claim, condition));
  const remaining = pending.map((timeout) => ({ ...timeout, left: timeLeft(claim, timeout, at) }));
  const expired = remaining.find(({ left }) => left <= 0);
  if (expired !== undefined) {
    return { verdict: 'expired', reason: expired.reason, timeout: expired.timeout };
  }
  return { verdict: 'waiting', for: durationMs(Math.min(...remaining.map(({ left }) => left))) };
}

/**
 * Counted from the last transition of the condition, which for both is normally the creation of the claim.
 */
function timeLeft(claim: NodeClaim, { condition, timeout }: Timeout, at: number): number {
  const since = conditionOf(claim, condition)?.lastTransitionTime ?? claim.metadata.creationTimestamp;
  return (timestampMs(since) ?? at) + timeout - at;
}
