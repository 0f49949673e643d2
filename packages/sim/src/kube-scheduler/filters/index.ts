import type { Filter } from './filter.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity, nodePorts, nodeUnschedulable, taintToleration } from './node-filters.ts';
import { nodeResourcesFit } from './node-resources.ts';
import { podTopologySpread } from './topology-spread.ts';
import { nodeVolumeLimits, volumeBinding, volumeRestrictions, volumeZone } from './volumes.ts';

export type { Filter, NodeCheck, Obstacle, Refusal } from './filter.ts';

/** In the order of the default profile: of several obstacles on a node, the first is the one reported. */
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
