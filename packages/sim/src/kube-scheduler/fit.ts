import { filters, type NodeCheck, type Obstacle } from './filters/index.ts';
import type { PodInfo } from './pods/pod-info.ts';
import type { SchedulerState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

/** The filters that apply to one pod, ready to check nodes. */
export interface Preparation {
  readonly check: NodeCheck;
  /** Set if the pod fits no node; `check` must not be used then. */
  readonly refusal?: string;
}

const notNamed: Obstacle = {
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  isResolvable: false,
};

/** Prepares all filters for a pod. Valid until the cluster state changes. */
export function prepare(pod: PodInfo, cluster: SchedulerState): Preparation {
  const checks: NodeCheck[] = [];
  for (const filter of filters) {
    const prepared = filter.prepare(pod, cluster);
    if (prepared === undefined) continue;
    if ('refusal' in prepared) return { check: () => undefined, refusal: prepared.refusal };
    checks.push(prepared);
  }
  // A DaemonSet pod names its node: kube-scheduler excludes all other nodes before it runs any filter.
  const { namedNodes } = pod;
  if (namedNodes === undefined) return { check: (node) => firstObstacle(checks, node) };
  return { check: (node) => (namedNodes.has(node.name) ? firstObstacle(checks, node) : notNamed) };
}

function firstObstacle(checks: readonly NodeCheck[], node: NodeInfo): Obstacle | undefined {
  for (const check of checks) {
    const obstacle = check(node);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}
