import { filters, type NodeCheck, type Obstacle } from './filters/index.ts';
import type { PodInfo } from './pods/pod-info.ts';
import type { ClusterState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

/** The rules that are about one pod, ready to be asked of nodes. */
export interface Preparation {
  readonly check: NodeCheck;
  /** Set where the pod can go nowhere. */
  readonly refusal?: string;
}

const elsewhere: Obstacle = {
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  yieldsToEviction: false,
};

export function prepare(pod: PodInfo, cluster: ClusterState): Preparation {
  const checks: NodeCheck[] = [];
  for (const filter of filters) {
    const prepared = filter.prepare(pod, cluster);
    if (prepared === undefined) continue;
    if ('refusal' in prepared) return { check: () => undefined, refusal: prepared.refusal };
    checks.push(prepared);
  }
  const { namedNodes } = pod;
  if (namedNodes === undefined) return { check: (node) => firstObstacle(checks, node) };
  return { check: (node) => (namedNodes.has(node.name) ? firstObstacle(checks, node) : elsewhere) };
}

function firstObstacle(checks: readonly NodeCheck[], node: NodeInfo): Obstacle | undefined {
  for (const check of checks) {
    const obstacle = check(node);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}
