import type {
  DescribeInstanceStatusCommandInput,
  InstanceStatus,
  InstanceStatusSummary,
} from '@aws-sdk/client-ec2';
import type { Instant } from '@karpenter/kube/runtime';
import { interruptionKinds, interruptionTuning, unhealthyCategories } from '../names/index.ts';
import type { InterruptionKind } from './interruption-message.ts';

export type UnhealthyCategory = (typeof unhealthyCategories)[keyof typeof unhealthyCategories];

/** A failed check or scheduled event of an instance. */
export interface StatusFinding {
  readonly instanceId: string;
  readonly category: UnhealthyCategory;
}

const eventCodes = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
] as const;

/** Three requests, because EC2 combines the filters of one request with AND. */
export const statusQueries: readonly DescribeInstanceStatusCommandInput[] = [
  { Filters: [{ Name: 'instance-status.status', Values: ['impaired'] }] },
  { Filters: [{ Name: 'system-status.status', Values: ['impaired'] }] },
  { Filters: [{ Name: 'event.code', Values: [...eventCodes] }] },
];

/** Unhealthy instances are handled as interruptions of these kinds. */
export const kindByCategory: Readonly<Record<UnhealthyCategory, InterruptionKind>> = {
  [unhealthyCategories.instanceStatus]: interruptionKinds.instanceStatus,
  [unhealthyCategories.systemStatus]: interruptionKinds.systemStatus,
  [unhealthyCategories.eventStatus]: interruptionKinds.eventStatus,
};

/**
 * Returns at most one finding per instance and category. Status checks may fail briefly while an instance
 * boots, so a failure must last for a threshold; events count as soon as EC2 announces them. EBS checks are
 * ignored: the instance may work without the volume, and replacing it does not repair the volume.
 */
export function findingsIn(statuses: readonly InstanceStatus[], now: Instant): readonly StatusFinding[] {
  const byInstance = new Map(statuses.map((status) => [status.InstanceId ?? '', status]));
  byInstance.delete('');
  return [...byInstance].flatMap(([instanceId, status]) =>
    categoriesOf(status, now).map((category) => ({ instanceId, category })),
  );
}

function categoriesOf(
  { InstanceStatus: instance, SystemStatus: system, Events = [] }: InstanceStatus,
  now: Instant,
): readonly UnhealthyCategory[] {
  const hasEvent = Events.some(({ Code }) => eventCodes.some((code) => code === Code));
  return [
    ...(hasFailed(instance, now) ? [unhealthyCategories.instanceStatus] : []),
    ...(hasFailed(system, now) ? [unhealthyCategories.systemStatus] : []),
    ...(hasEvent ? [unhealthyCategories.eventStatus] : []),
  ];
}

function hasFailed(summary: InstanceStatusSummary | undefined, now: Instant): boolean {
  const newest = now - interruptionTuning.unhealthyThreshold;
  return (summary?.Details ?? []).some(
    ({ Status, ImpairedSince }) =>
      Status === 'failed' && ImpairedSince !== undefined && ImpairedSince.getTime() <= newest,
  );
}
