import type { Notification } from '../agent/index.ts';
import { eventKinds } from '../events/index.ts';
import type { GoStruct } from './template/index.ts';

/** The fields of a notification, by the names that templates for aws-node-termination-handler use. */
export function notificationData({ event, identity, node, pods }: Notification): GoStruct {
  return {
    EventID: event.id,
    Kind: eventKinds[event.monitor],
    Monitor: event.monitor,
    Description: event.description,
    State: event.state,
    AutoScalingGroupName: '',
    NodeName: node.metadata?.name ?? '',
    NodeLabels: new Map(Object.entries(node.metadata?.labels ?? {})),
    Pods: pods,
    InstanceID: identity.instanceId,
    ProviderID: node.spec?.providerID ?? '',
    InstanceType: identity.instanceType,
    IsManaged: true,
    StartTime: new Date(event.startTime),
    EndTime: new Date(event.endTime ?? 0),
    NodeProcessed: false,
    InProgress: true,
    AccountId: identity.accountId,
    AvailabilityZone: identity.availabilityZone,
    InstanceLifeCycle: identity.instanceLifeCycle,
    LocalHostname: identity.localHostname,
    LocalIP: identity.localIp,
    PublicHostname: identity.publicHostname,
    PublicIP: identity.publicIp,
    Region: identity.region,
  };
}
