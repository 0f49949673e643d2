import type { PlacementGroup } from '@aws-sdk/client-ec2';
import { minutes } from '@karpenter/core/api';
import { AwsRefusal, recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { partitionStep } from './partition-registration.ts';
import { PlacementGroupProvider } from './placement-group-provider.ts';

const found: PlacementGroup = { GroupId: 'pg-1', Strategy: 'partition', PartitionCount: 3 };

function provider(answer: (count: number) => readonly PlacementGroup[]) {
  const clock = new VirtualClock();
  const describePlacementGroups = recordedCall((_: unknown, count) => ({
    PlacementGroups: [...answer(count)],
  }));
  const made = new PlacementGroupProvider({ ec2: { describePlacementGroups }, clock });
  return { made, clock, asked: describePlacementGroups.inputs };
}

describe('the placement group provider', () => {
  it('finds a group by id or by name, whatever the name looks like', async () => {
    const { made, asked } = provider(() => [found]);
    expect(await made.resolve({ id: 'pg-1' })).toEqual({
      group: { id: 'pg-1', strategy: 'partition', partitionCount: 3 },
    });
    await made.resolve({ name: 'pg-like' });
    expect(asked).toMatchObject([{ GroupIds: ['pg-1'] }, { GroupNames: ['pg-like'] }]);
  });

  it('caches for a minute that there is none', async () => {
    const { made, clock, asked } = provider((count) => (count === 1 ? [] : [found]));
    const missing = { reason: 'PlacementGroupNotFound', message: 'Placement group "a" not found' };
    expect(await made.resolve({ name: 'a' })).toEqual({ failure: missing });
    expect(await made.resolve({ name: 'a' })).toEqual({ failure: missing });
    expect(asked).toHaveLength(1);
    await clock.advance(minutes(1));
    expect((await made.resolve({ name: 'a' })).group?.id).toBe('pg-1');
  });

  it('returns the last known group while EC2 fails, but not once the group is gone', async () => {
    const answers = [() => [found], fails, () => [], fails];
    const { made, clock } = provider((count) => answers[count - 1]?.() ?? []);
    const next = async () => {
      await clock.advance(minutes(1));
      return made.resolve({ id: 'pg-1' });
    };
    expect((await next()).group?.id).toBe('pg-1');
    expect(await next()).toMatchObject({
      group: { id: 'pg-1' },
      failure: { reason: 'PlacementGroupResolutionFailed', message: 'Failed to resolve placement group' },
    });
    expect((await next()).failure?.reason).toBe('PlacementGroupNotFound');
    expect((await next()).group).toBeUndefined();
  });

  it('treats the unknown-group error of EC2 as not found', async () => {
    const { made } = provider(() => {
      throw new AwsRefusal('InvalidPlacementGroup.Unknown');
    });
    expect((await made.resolve({ name: 'a' })).failure?.reason).toBe('PlacementGroupNotFound');
  });
});

function fails(): never {
  throw new AwsRefusal('InternalError', 'later', 'server');
}

describe('registration in a partition', () => {
  const group = { 'karpenter.k8s.aws/placement-group-id': 'pg-1' };
  const partition = 'karpenter.k8s.aws/placement-group-partition';

  it.each([
    [{}, 'aws:///a/i-1', 'pass'],
    [group, 'aws:///a/i-1', 'pass'],
    [{ ...group, [partition]: '2' }, undefined, 'pass'],
    [{ ...group, [partition]: '' }, undefined, 'wait'],
    [{ ...group, [partition]: '' }, 'aws:///a/i-1', 'ask-ec2'],
  ])('%j with %s: %s', (labels, providerId, step) => {
    expect(partitionStep(labels, providerId)).toBe(step);
  });
});
