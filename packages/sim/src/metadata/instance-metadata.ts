import type { Instant } from '@karpenter/kube/runtime';

interface ScheduledMaintenance {
  readonly id: string;
  readonly code: string;
  readonly description: string;
  readonly state: 'active' | 'completed' | 'canceled';
  readonly notBefore: Instant;
  readonly notAfter?: Instant;
}

/** What the metadata service knows about one instance. */
export interface InstanceMetadata {
  readonly accountId: string;
  readonly region: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly imageId: string;
  readonly architecture: string;
  readonly lifeCycle: 'spot' | 'on-demand';
  readonly zone: string;
  readonly privateIp: string;
  readonly hostname: string;
  readonly spotAction?: { readonly action: string; readonly at: Instant };
  readonly rebalanceNoticeAt?: Instant;
  readonly maintenance: readonly ScheduledMaintenance[];
  /** Absent for an instance outside of an Auto Scaling group. */
  readonly targetLifecycleState?: string;
}

/** The document at a path below `/latest/`; undefined if there is none. */
export function metadataDocument(path: string, metadata: InstanceMetadata): string | undefined {
  if (path === 'dynamic/instance-identity/document')
    return JSON.stringify(identityOf(metadata), undefined, 2);
  const entry = path.startsWith('meta-data/') ? path.slice('meta-data/'.length) : undefined;
  return entry === undefined ? undefined : entriesOf(metadata)[entry];
}

function entriesOf(metadata: InstanceMetadata): Readonly<Record<string, string | undefined>> {
  const { spotAction, rebalanceNoticeAt } = metadata;
  return {
    'instance-id': metadata.instanceId,
    'instance-type': metadata.instanceType,
    'ami-id': metadata.imageId,
    'instance-life-cycle': metadata.lifeCycle,
    'local-ipv4': metadata.privateIp,
    'local-hostname': metadata.hostname,
    'placement/availability-zone': metadata.zone,
    'placement/region': metadata.region,
    'spot/instance-action':
      spotAction && JSON.stringify({ action: spotAction.action, time: secondsText(spotAction.at) }),
    'events/recommendations/rebalance':
      rebalanceNoticeAt === undefined
        ? undefined
        : JSON.stringify({ noticeTime: secondsText(rebalanceNoticeAt) }),
    'events/maintenance/scheduled': JSON.stringify(metadata.maintenance.map(maintenanceEntry)),
    'autoscaling/target-lifecycle-state': metadata.targetLifecycleState,
  };
}

function identityOf(metadata: InstanceMetadata): object {
  return {
    accountId: metadata.accountId,
    architecture: metadata.architecture,
    availabilityZone: metadata.zone,
    imageId: metadata.imageId,
    instanceId: metadata.instanceId,
    instanceType: metadata.instanceType,
    privateIp: metadata.privateIp,
    region: metadata.region,
  };
}

function maintenanceEntry({ id, code, description, state, notBefore, notAfter }: ScheduledMaintenance) {
  const prefix = state === 'active' ? '' : `[${state === 'completed' ? 'Completed' : 'Canceled'}] `;
  return {
    NotBefore: gmtText(notBefore),
    Code: code,
    Description: `${prefix}${description}`,
    EventId: id,
    ...(notAfter !== undefined && { NotAfter: gmtText(notAfter) }),
    State: state,
  };
}

function secondsText(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** As EC2 writes it: `21 Jan 2019 09:00:43 GMT`. */
function gmtText(at: Instant): string {
  return new Date(at).toUTCString().replace(/^\w+, /, '');
}
