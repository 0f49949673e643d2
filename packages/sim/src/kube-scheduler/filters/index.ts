// The filter plugins of kube-scheduler, one file per group. They read SchedulerState and change nothing.
// Messages are those of kube-scheduler. Start with filter.ts.
import type { Filter } from './filter.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity, nodePorts, nodeUnschedulable, taintToleration } from './node-filters.ts';
import { nodeResourcesFit } from './node-resources.ts';
import { podTopologySpread } from './topology-spread.ts';
import { nodeVolumeLimits, volumeBinding, volumeRestrictions, volumeZone } from './volumes.ts';

export type { Filter, NodeCheck, Obstacle } from './filter.ts';

/** In the order of the default profile: a node reports only its first obstacle. */
export const filters: readonly Filter[] = [
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
];
