import { claim } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { type ResourceSlice, requestedDrivers, unpublishedDriver } from './device-pools.ts';

interface SliceParts {
  readonly pool?: string;
  readonly driver?: string;
  readonly generation?: number;
  readonly count?: number;
  readonly owner?: string;
}

function slice({
  pool = 'pool',
  driver = 'gpu.example.com',
  generation = 1,
  count = 1,
  owner = 'n',
}: SliceParts): ResourceSlice {
  return {
    metadata: {
      name: 'slice',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: owner }],
    },
    spec: { driver, pool: { name: pool, generation, resourceSliceCount: count } },
  };
}

const isComplete = (...slices: readonly ResourceSlice[]) =>
  unpublishedDriver(['gpu.example.com'], 'n', slices) === undefined;

describe('a pool of devices is complete', () => {
  it('when its newest generation has all its slices, whatever older ones have', () => {
    expect(isComplete(slice({ count: 2 }))).toBe(false);
    expect(isComplete(slice({ count: 2 }), slice({ count: 2 }))).toBe(true);
    expect(isComplete(slice({ count: 1 }), slice({ generation: 2, count: 2 }))).toBe(false);
  });

  it('by slices of the node itself, not of another', () => {
    expect(isComplete(slice({ count: 2 }), slice({ count: 2, owner: 'other' }))).toBe(false);
    expect(isComplete(slice({ owner: 'other' }))).toBe(false);
  });

  it('on its own: slices of two pools do not add up', () => {
    expect(isComplete(slice({ pool: 'a', count: 2 }), slice({ pool: 'b', count: 2 }))).toBe(false);
  });
});

describe('requested drivers', () => {
  it('are all those in the annotation', () => {
    const annotations = { 'karpenter.sh/requested-dra-drivers': 'gpu.example.com, nic.example.com' };
    expect(requestedDrivers(claim('a', { annotations }))).toEqual(['gpu.example.com', 'nic.example.com']);
    expect(requestedDrivers(claim('a'))).toEqual([]);
  });

  it('must all have published a pool, and the first missing one is named', () => {
    const drivers = ['gpu.example.com', 'nic.example.com'];
    expect(unpublishedDriver(drivers, 'n', [slice({})])).toBe('nic.example.com');
    expect(unpublishedDriver(drivers, 'n', [slice({}), slice({ driver: 'nic.example.com' })])).toBe(
      undefined,
    );
  });
});
