import type { Rejection } from '../scheduling/index.ts';
import type { ClusterSnapshot } from '../state/index.ts';
import { parseResourceList, type ResourceList, resourceTexts, sumResources } from '../values/index.ts';
import { exceededLimit } from './exceeded-limit.ts';

type LaunchFacts = Pick<ClusterSnapshot, 'nodePools' | 'pools' | 'launching'>;
type Launching = ClusterSnapshot['launching'][number];

/**
 * Finds rejections that end when launching NodeClaims have their instances. Until then each claim counts against the
 * limits of its pool as the largest instance type that it allows, often hundreds of CPUs, so that two plans together
 * never exceed a limit (ADR 0015). So a few claims for small pods can use up a limit for the seconds of their launch.
 */
export class LaunchWaits {
  readonly #pools: ReadonlySet<string>;

  constructor({ nodePools, pools, launching }: LaunchFacts) {
    const waiting = nodePools.filter((nodePool) => {
      const { name } = nodePool.metadata;
      const needed = launching.filter(({ view }) => view.nodePool === name).map(neededBy);
      const used = sumResources(parseResourceList(pools.get(name)?.resources), ...needed);
      return needed.length > 0 && exceededLimit(nodePool, resourceTexts(used)) === undefined;
    });
    this.#pools = new Set(waiting.map(({ metadata }) => metadata.name));
  }

  /** Whether a limit rejects the pod that has room if every launching claim needs no more than its requests. */
  concern({ reasons }: Pick<Rejection, 'reasons'>): boolean {
    return reasons.some(
      ({ nodePool = '', failed }) => failed.includes('limits') && this.#pools.has(nodePool),
    );
  }
}

/** The least that a claim counts against the limits of its pool. */
function neededBy({ nodeClaim: { spec } }: Launching): ResourceList {
  return parseResourceList({ ...spec.resources?.requests, nodes: '1' });
}
