import type { NodePool } from '@karpenter/core/api';
import { plan, type Snapshot } from '@karpenter/core/scheduling';
import { randomCluster } from '@karpenter/testkit/random-clusters';
import { planOptions } from '@karpenter/testkit/snapshots';
import { workloads } from '@karpenter/testkit/workloads';
import { describe, expect, it } from 'vitest';

/** Far more than all pods of a test could use, even if every node became the largest type. */
const ample = { cpu: '10000000', memory: '100000000Gi', pods: '100000000', nodes: '1000000' };

const limitedTo = (snapshot: Snapshot, limits: NodePool['spec']['limits']): Snapshot => ({
  ...snapshot,
  nodePools: snapshot.nodePools.map(({ spec: { limits: _own, ...spec }, ...nodePool }) => ({
    ...nodePool,
    spec: { ...spec, ...(limits !== undefined && spec.replicas === undefined && { limits }) },
  })),
});

const seedsInOneTest = 50;
const batches = Array.from({ length: 4 }, (_, index) => ({
  first: 1 + index * seedsInOneTest,
  last: (index + 1) * seedsInOneTest,
}));

describe('limits that are never reached', () => {
  it.each(workloads)('change nothing in a cluster of $name pods', ({ snapshot }) => {
    const cluster = snapshot(600);
    const free = plan(limitedTo(cluster, undefined), planOptions);
    expect(plan(limitedTo(cluster, ample), planOptions)).toEqual(free);
  });

  it.each(batches)('change nothing in random clusters $first to $last', ({ first, last }) => {
    for (let seed = first; seed <= last; seed++) {
      const { snapshot, options } = randomCluster(seed);
      const free = plan(limitedTo(snapshot, undefined), options);
      expect(plan(limitedTo(snapshot, ample), options), `cluster ${seed}`).toEqual(free);
    }
  });
});
