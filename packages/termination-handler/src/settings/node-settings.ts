import { booleanSetting, integerSetting, textSetting } from '@karpenter/core/api';
import { atLeast, oneOf, withVariable } from './setting-checks.ts';

/** Which node the agent guards, and what it does to it. */
export const nodeSettings = {
  nodeName: textSetting('node-name', {
    default: '',
    description: 'Name of the node that the agent runs on; required',
    check: (value) =>
      value === '' ? 'node-name: a name is required; set NODE_NAME from spec.nodeName' : undefined,
  }),
  podName: textSetting('pod-name', {
    default: '',
    description: 'Name of the pod of the agent, which it never evicts',
  }),
  podNamespace: withVariable(
    'NAMESPACE',
    textSetting('pod-namespace', { default: '', description: 'Namespace of the pod of the agent' }),
  ),
  dryRun: booleanSetting('dry-run', {
    default: false,
    description: 'Logs what would be done and changes nothing',
  }),
  cordonOnly: booleanSetting('cordon-only', {
    default: false,
    description: 'Cordons the node and evicts no pod',
  }),
  manageKarpenterNodes: booleanSetting('manage-karpenter-nodes', {
    default: false,
    description: 'Acts on nodes of Karpenter too, instead of leaving them to its controller',
  }),
  taintNode: booleanSetting('taint-node', {
    default: false,
    description: 'Taints the node before it is drained',
  }),
  taintEffect: textSetting('taint-effect', {
    default: 'NoSchedule',
    description: 'Effect of that taint',
    accepts: 'NoSchedule, PreferNoSchedule or NoExecute',
    check: oneOf('taint-effect', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  }),
  enableOutOfServiceTaint: booleanSetting('enable-out-of-service-taint', {
    default: false,
    description: 'Adds the out-of-service taint after the drain, so that volumes detach at once',
  }),
  excludeFromLoadBalancers: booleanSetting('exclude-from-load-balancers', {
    default: false,
    description: 'Labels the node so that load balancers take it out before it is drained',
  }),
  ignoreDaemonSets: booleanSetting('ignore-daemon-sets', {
    default: true,
    description: 'Leaves pods of DaemonSets on the node; otherwise they are evicted too',
  }),
  deleteLocalData: booleanSetting('delete-local-data', {
    default: true,
    description:
      'Evicts pods with emptyDir volumes; otherwise such a pod makes the drain fail before it starts',
  }),
  gracePeriod: integerSetting('grace-period', {
    default: -1,
    description: 'Deprecated; use pod-termination-grace-period',
  }),
  podTerminationGracePeriod: integerSetting('pod-termination-grace-period', {
    default: -1,
    description: 'Seconds that an evicted pod gets to stop; a negative number means what the pod itself says',
  }),
  nodeTerminationGracePeriod: integerSetting('node-termination-grace-period', {
    default: 120,
    description:
      'Seconds before the start of an event at which the drain begins, and which it takes at most; 0 for no limit',
    check: atLeast('node-termination-grace-period', 0),
  }),
  workers: integerSetting('workers', {
    default: 10,
    description: 'Events that are handled at the same time',
    check: atLeast('workers', 1),
  }),
  uptimeFromFile: textSetting('uptime-from-file', {
    default: '',
    description:
      'File with the uptime of the host, such as a mounted /proc/uptime; empty means the system call',
  }),
};
