import { type NodeClaim, type NodePool, seconds } from '@karpenter/core/api';
import {
  type CloudProvider,
  instanceNotFound,
  insufficientCapacity,
  launchFailed,
  nodeClassNotReady,
} from '@karpenter/core/ports';
import { RecordedSeries } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { MemoryCloud } from '@karpenter/testkit/fake-cloud';
import { instanceType } from '@karpenter/testkit/snapshots';
import { beforeEach, describe, expect, it } from 'vitest';
import { MeteredCloud } from './metered-cloud.ts';

const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    disruption: { budgets: [], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
    template: {
      spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, expireAfter: 'Never' },
    },
  },
};
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'general-1' },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, expireAfter: 'Never' },
};

describe('a metered cloud', () => {
  let clock: VirtualClock;
  let meters: RecordedSeries;
  let inner: MemoryCloud;
  let cloud: CloudProvider;

  beforeEach(() => {
    clock = new VirtualClock();
    meters = new RecordedSeries();
    inner = new MemoryCloud({ clock });
    cloud = new MeteredCloud(inner, { meters, clock, controller: () => 'nodeclaim.lifecycle' });
  });

  /** Errors that were counted at least once. */
  const countedErrors = () => [...meters.counts].filter(([, count]) => count > 0);

  const durations = (method: string) =>
    meters.observed.get(
      `karpenter_cloudprovider_duration_seconds{controller="nodeclaim.lifecycle",method="${method}",provider="memory"}`,
    );

  it('is the cloud itself but for the figures', async () => {
    const types = await cloud.instanceTypes(nodePool);
    expect(types).toBe(await inner.instanceTypes(nodePool));
    expect(cloud).toMatchObject({ name: 'memory', nodeClasses: inner.nodeClasses });
    expect(await cloud.list()).toEqual([]);
    expect(durations('GetInstanceTypes')).toEqual([0]);
    expect(durations('List')).toEqual([0]);
    expect(countedErrors()).toEqual([]);
  });

  it('measures the duration of calls, failed ones included', async () => {
    const slow = new (class extends MemoryCloud {
      override async list(): Promise<never> {
        await clock.sleep(seconds(2));
        throw new Error('out of order');
      }
    })({ clock });
    const metered = new MeteredCloud(slow, { meters, clock, controller: () => 'nodeclaim.lifecycle' });
    const call = expect(metered.list()).rejects.toThrow('out of order');
    await clock.advance(seconds(2));
    await call;
    expect(durations('List')).toEqual([2]);
  });

  const errorsOf = (method: string, error: string) =>
    `karpenter_cloudprovider_errors_total{controller="nodeclaim.lifecycle",error="${error}",method="${method}",provider="memory"}`;

  it.each([
    ['NodeClassNotReadyError', nodeClassNotReady('not yet')],
    ['InsufficientCapacityError', insufficientCapacity('none')],
    ['', launchFailed('no', { reason: 'LaunchFailed', conditionMessage: 'no' })],
    ['', new Error('anything else')],
  ])('counts failures by their kind: "%s"', async (label, failure) => {
    inner.fail('create', failure);
    await expect(cloud.create(claim)).rejects.toBe(failure);
    expect(countedErrors()).toEqual([[errorsOf('Create', label), 1]]);
  });

  it('counts every kind of failed launch from zero, before the first one', () => {
    const kinds = ['NodeClassNotReadyError', 'InsufficientCapacityError', ''];
    expect([...meters.counts]).toEqual(kinds.map((kind) => [errorsOf('Create', kind), 0]));
  });

  it('counts a missing instance as an error, also where the call returns that it is gone', async () => {
    const failure = instanceNotFound('gone');
    inner.fail('driftReason', failure);
    await expect(cloud.driftReason(claim)).rejects.toBe(failure);
    expect(await cloud.get('memory:///none')).toBeUndefined();
    expect(await cloud.delete(claim)).toBe('gone');
    const label = 'NodeClaimNotFoundError';
    expect(countedErrors()).toEqual([
      [errorsOf('IsDrifted', label), 1],
      [errorsOf('Get', label), 1],
      [errorsOf('Delete', label), 1],
    ]);
  });

  it('counts no error while an instance exists or terminates', async () => {
    inner.types = [instanceType('small', { cpu: '1', memory: '1Gi', price: 0.1 })];
    const { providerId } = await cloud.create(claim);
    expect(await cloud.get(providerId)).toMatchObject({ providerId });
    expect(await cloud.delete({ ...claim, status: { providerID: providerId } })).toBe('terminating');
    expect(countedErrors()).toEqual([]);
  });
});
