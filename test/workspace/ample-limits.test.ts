import type { NodePool } from '@karpenter/core/api';
import { plan, type Snapshot } from '@karpenter/core/scheduling';
import { randomCluster } from '@karpenter/testkit/random-clusters';
import { batches, seeds } from '@karpenter/testkit/rounds';
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

const randomClusters = batches(seeds({ quick: 50, full: 200 }), 50);

describe('limits that are never reached', () => {
  it.each(workloads)('change nothing in a cluster of $name pods', ({ snapshot }) => {
    const cluster = snapshot(600);
    const free = plan(limitedTo(cluster, undefined), planOptions);
    expect(plan(limitedTo(cluster, ample), planOptions)).toEqual(free);
  });

  it.each(randomClusters)('change nothing in random clusters $first to $last', (batch) => {
    for (const seed of batch.seeds) {
      const { snapshot, options } = randomCluster(seed);
      const free = plan(limitedTo(snapshot, undefined), options);
      expect(plan(limitedTo(snapshot, ample), options), `cluster ${seed}`).toEqual(free);
    }
  });
});
