import type { Instant } from '@karpenter/kube/runtime';

/** The monitors, by the names that upstream's log, metrics and webhooks use. */
export const monitorNames = {
  spot: 'SPOT_ITN_MONITOR',
  scheduled: 'SCHEDULED_EVENT_MONITOR',
  rebalance: 'REBALANCE_RECOMMENDATION_MONITOR',
  asg: 'ASG_LIFECYCLE_MONITOR',
} as const;

export type MonitorName = (typeof monitorNames)[keyof typeof monitorNames];

/** Values of `Kind` in webhooks. */
export const eventKinds: Readonly<Record<MonitorName, string>> = {
  SPOT_ITN_MONITOR: 'SPOT_ITN',
  SCHEDULED_EVENT_MONITOR: 'SCHEDULED_EVENT',
  REBALANCE_RECOMMENDATION_MONITOR: 'REBALANCE_RECOMMENDATION',
  ASG_LIFECYCLE_MONITOR: 'ASG_LIFECYCLE',
};

/** Something that will end or interrupt the instance. */
export interface TerminationEvent {
  /** The same for the same notice at every poll. */
  readonly id: string;
  readonly monitor: MonitorName;
  readonly description: string;
  /** State of a scheduled event, such as `active`; empty for others. */
  readonly state: string;
  /** Code of a scheduled event, such as `system-reboot`; empty for others. */
  readonly code: string;
  readonly startTime: Instant;
  readonly endTime?: Instant;
}
