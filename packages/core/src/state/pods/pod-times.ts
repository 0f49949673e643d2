import type { PodSchedulingDecision } from '../state-event.ts';

/**
 * Timestamps of a pending pod for the scheduling metrics, in milliseconds since 1970. The first of each
 * counts.
 */
export interface PodTimes {
  /** First seen pending. */
  readonly acknowledged?: number;
  /** First decided by a provisioning pass, with or without a node found. */
  readonly decided?: number;
  /** First placed since the last pass that found no node for it. */
  readonly schedulable?: number;
  /** As `schedulable`, for a pass that chose a NodePool whose nodes are known to register. */
  readonly healthySchedulable?: number;
  /** The NodeClaim it was placed on last. */
  readonly nodeClaim?: string;
}

export function acknowledged(times: PodTimes, at: number): PodTimes {
  return times.acknowledged === undefined ? { ...times, acknowledged: at } : times;
}

export function decided(times: PodTimes, { placement }: PodSchedulingDecision, at: number): PodTimes {
  const { acknowledged: seen, decided: first = at, schedulable = at, healthySchedulable } = times;
  const known = { ...(seen !== undefined && { acknowledged: seen }), decided: first };
  if (placement === undefined) return known;
  const healthy = placement.isPoolHealthy ? (healthySchedulable ?? at) : undefined;
  return {
    ...known,
    schedulable,
    ...(healthy !== undefined && { healthySchedulable: healthy }),
    ...(placement.nodeClaim !== undefined && { nodeClaim: placement.nodeClaim }),
  };
}
