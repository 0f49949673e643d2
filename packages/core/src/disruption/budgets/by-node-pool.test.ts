import { disruptableCluster, disruptedPool, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { expect, it } from 'vitest';
import { findCandidates } from '../candidates/candidate.ts';
import { interleaved } from './by-node-pool.ts';

it('takes the best candidate of each pool, then the second best of each', () => {
  const snapshot = disruptableCluster({
    managedNodes: ['x1', 'x2', 'x3', 'y1', 'z1', 'z2'].map((name) =>
      managedNode(name, { pool: name.slice(0, 1) }),
    ),
    types: [instanceType('large', { price: 0.4 })],
    pools: ['x', 'y', 'z'].map((name) => disruptedPool(name)),
  });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  expect(interleaved(candidates).map(({ name }) => name)).toEqual(['x1', 'y1', 'z1', 'x2', 'z2', 'x3']);
});
