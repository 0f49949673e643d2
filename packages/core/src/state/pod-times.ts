import type { PodJudgement } from './state-event.ts';

/** When what was first known of a pod that waits for a node; in milliseconds since 1970. */
export interface PodTimes {
  /** First seen waiting. */
  readonly acknowledged?: number;
  /** First judged by a pass, whatever it found. */
  readonly decided?: number;
  /** First placed since it was last refused. */
  readonly schedulable?: number;
  /** The same, by a pass that chose a NodePool whose nodes are known to register. */
  readonly healthySchedulable?: number;
  /** The NodeClaim it was last placed on. */
  readonly nodeClaim?: string;
}

export function acknowledged(times: PodTimes, at: number): PodTimes {
  return times.acknowledged === undefined ? { ...times, acknowledged: at } : times;
}

export function judged(times: PodTimes, { placement }: PodJudgement, at: number): PodTimes {
  const { acknowledged: seen, decided = at, schedulable = at, healthySchedulable } = times;
  const known = { ...(seen !== undefined && { acknowledged: seen }), decided };
  if (placement === undefined) return known;
  const healthy = placement.isPoolHealthy ? (healthySchedulable ?? at) : undefined;
  return {
    ...known,
    schedulable,
    ...(healthy !== undefined && { healthySchedulable: healthy }),
    ...(placement.nodeClaim !== undefined && { nodeClaim: placement.nodeClaim }),
  };
}
