import { type MonitorName, monitorNames } from '../events/index.ts';

const prefix = 'aws-node-termination-handler';

/** Taint keys by monitor. */
export const taintKeys: Readonly<Record<MonitorName, string>> = {
  [monitorNames.spot]: `${prefix}/spot-itn`,
  [monitorNames.scheduled]: `${prefix}/scheduled-maintenance`,
  [monitorNames.asg]: `${prefix}/asg-lifecycle-termination`,
  [monitorNames.rebalance]: `${prefix}/rebalance-recommendation`,
};

export const outOfServiceTaint = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'nodeshutdown',
  effect: 'NoExecute',
} as const;

export const handlerLabels = {
  action: `${prefix}/action`,
  actionTime: `${prefix}/action-time`,
  eventId: `${prefix}/event-id`,
} as const;

export const uncordonAfterReboot = 'UncordonAfterReboot';

/** Marks the load-balancer label as ours, so that another's label is neither changed nor removed. */
export const loadBalancerLabelValue = prefix;

/**
 * Names the event for which the agent has cordoned the node. It survives a restart of the agent, so that a notice that
 * passes meanwhile is undone, and a node that a person has cordoned has none.
 */
export const cordonedForAnnotation = `${prefix}/cordoned-for`;

/**
 * Names the event whose reboot the node has been through. EC2 shows such an event for a while after the reboot, and an
 * agent that starts again meanwhile must not drain the node a second time.
 */
export const rebootedForAnnotation = `${prefix}/rebooted-for`;

/** Labels and taints take at most 63 characters and must end with a letter or digit. */
export function labelValue(text: string): string {
  return text
    .slice(0, 63)
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}
