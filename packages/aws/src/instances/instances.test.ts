import type { Instance } from '@aws-sdk/client-ec2';
import { minutes, seconds } from '@karpenter/core/api';
import { AwsRefusal, recordedCall, soldType } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimFieldsOf } from './claim-fields.ts';
import { instanceFromEc2 } from './instance.ts';
import { InstanceProvider } from './instance-provider.ts';
import { LaunchesInFlight } from './launches-in-flight.ts';
import { orphansOf } from './orphans.ts';
import { instanceIdIn, parseInstanceId } from './provider-id.ts';

const described = (id: string, more: Partial<Instance> = {}): Instance => ({
  InstanceId: id,
  InstanceType: 'm5.large',
  ImageId: 'ami-1',
  State: { Name: 'running' },
  LaunchTime: new Date(5000),
  Placement: { AvailabilityZone: 'zone-a', AvailabilityZoneId: 'az1' },
  Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'general' }],
  ...more,
});

describe('an instance as EC2 describes it', () => {
  it('is spot by its request, and reserved only if it was meant for a reservation', () => {
    const typeOf = (more: Partial<Instance>, gate = true) =>
      instanceFromEc2(described('i-1', more), gate).capacityType;
    const meant = { CapacityReservationPreference: 'capacity-reservations-only' as const };
    expect(typeOf({})).toBe('on-demand');
    expect(typeOf({ SpotInstanceRequestId: 'sir-1' })).toBe('spot');
    expect(typeOf({ CapacityReservationId: 'cr-1' })).toBe('on-demand');
    expect(typeOf({ CapacityReservationId: 'cr-1', CapacityReservationSpecification: meant })).toBe(
      'reserved',
    );
    expect(typeOf({ CapacityReservationId: 'cr-1', CapacityReservationSpecification: meant }, false)).toBe(
      'on-demand',
    );
  });

  it('gives its claim labels, amounts and times', () => {
    const type = soldType('m5.large', { capacity: { 'vpc.amazonaws.com/efa': '1', 'nvidia.com/gpu': '0' } });
    const fields = claimFieldsOf(instanceFromEc2(described('i-1'), true), type);
    expect(fields).toMatchObject({
      providerId: 'aws:///zone-a/i-1',
      imageId: 'ami-1',
      createdAt: 5000,
      isDeleting: false,
      capacity: { cpu: '2', memory: '8Gi', pods: '29' },
      allocatable: { cpu: '1930m', memory: '8Gi', pods: '29' },
      labels: {
        'node.kubernetes.io/instance-type': 'm5.large',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': 'zone-a',
        'topology.k8s.aws/zone-id': 'az1',
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.k8s.aws/instance-tenancy': 'default',
        'karpenter.sh/nodepool': 'general',
      },
    });
    expect(fields.capacity).not.toHaveProperty('nvidia.com/gpu');
    expect(fields.capacity).not.toHaveProperty('vpc.amazonaws.com/efa');
  });

  it('counts EFA where it has such interfaces, and returns what is known without its type', () => {
    const withEfa = described('i-1', {
      NetworkInterfaces: [{ InterfaceType: 'efa-only' }],
      State: { Name: 'shutting-down' },
    });
    const type = soldType('m5.large', { capacity: { 'vpc.amazonaws.com/efa': '1' } });
    expect(claimFieldsOf(instanceFromEc2(withEfa, true), type).capacity).toHaveProperty(
      'vpc.amazonaws.com/efa',
      '1',
    );
    expect(claimFieldsOf(instanceFromEc2(withEfa, true))).toMatchObject({ capacity: {}, isDeleting: true });
  });
});

describe('provider ids', () => {
  it('name the instance, whoever wrote them', () => {
    expect(parseInstanceId('aws:///us-east-1a/i-0abc')).toBe('i-0abc');
    expect(instanceIdIn('kwok:///zone/i-1')).toBe('i-1');
    expect(instanceIdIn('aws://i-1')).toBeUndefined();
    expect(() => parseInstanceId('nonsense')).toThrow('cannot tell the instance of provider id "nonsense"');
  });
});

describe('orphans', () => {
  it('are living instances that no claim knows of and that are not brand new', () => {
    const instances = [
      described('i-claimed'),
      described('i-orphan'),
      described('i-young', { LaunchTime: new Date(80_000) }),
      described('i-going', { State: { Name: 'shutting-down' } }),
    ].map((one) => instanceFromEc2(one, true));
    expect(orphansOf(instances, new Set(['aws:///zone-a/i-claimed']), 100_000).map(({ id }) => id)).toEqual([
      'i-orphan',
    ]);
  });

  it('are not those that a launch under way may be about to hand to its claim', async () => {
    const clock = new VirtualClock(100_000);
    const launches = new LaunchesInFlight(clock);
    const awaited = (launchTime: number) => launches.mayAwait({ launchTime });
    expect(awaited(100_000)).toBe(false);
    let answer = (_: string) => {};
    const launch = launches.during(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    await clock.advance(minutes(5));
    expect(awaited(100_000)).toBe(true);
    expect(awaited(100_000 - minutes(1))).toBe(false);
    answer('i-1');
    await launch;
    expect(awaited(100_000)).toBe(true);
    await clock.advance(seconds(30));
    expect(awaited(100_000)).toBe(false);
    const [instance] = [described('i-1')].map((one) => instanceFromEc2(one, true));
    if (instance === undefined) throw new Error('there is no instance');
    expect(orphansOf([{ ...instance, mayBeAwaited: true }], new Set(), clock.now())).toEqual([]);
  });
});

describe('the instance provider', () => {
  let living: Map<string, Instance>;
  let shifted: Set<string>;
  let failures: unknown[];
  const terminated: string[] = [];

  beforeEach(() => {
    living = new Map([['i-1', described('i-1')]]);
    shifted = new Set();
    failures = [];
    terminated.length = 0;
  });

  interface Refusals {
    readonly describe?: Error;
    readonly createTags?: Error;
  }

  function provider(refusals: Refusals = {}) {
    const describeInstance = recordedCall(({ InstanceIds = [] }: { InstanceIds?: string[] | undefined }) => {
      if (refusals.describe !== undefined) throw refusals.describe;
      return living.get(InstanceIds[0] ?? '');
    });
    const createTags = recordedCall(() => {
      if (refusals.createTags !== undefined) throw refusals.createTags;
    });
    const made = new InstanceProvider({
      ec2: {
        describeInstances: async () => ({ Reservations: [{ Instances: [...living.values()] }] }),
        createTags,
      },
      batched: {
        describeInstance,
        terminateInstance: async (id) => {
          if (id === 'i-denied') throw new AwsRefusal('UnauthorizedOperation');
          if (id === 'i-raced') throw new AwsRefusal('InvalidInstanceID.NotFound');
          terminated.push(id);
          return {};
        },
      },
      clusterName: 'dev',
      reservedCapacity: true,
      isShifted: (zoneId) => shifted.has(zoneId),
      onTerminationFailure: (labels) => failures.push(labels),
    });
    return { made, describeInstance, createTags };
  }

  it('describes an instance once, and again without the cache', async () => {
    const { made, describeInstance } = provider();
    await made.get('i-1');
    await made.get('i-1');
    expect(describeInstance.inputs).toHaveLength(1);
    await made.get('i-1', { skipCache: true });
    expect(describeInstance.inputs).toHaveLength(2);
  });

  it('returns undefined for an instance that EC2 does not have', async () => {
    expect(await provider().made.get('i-none')).toBeUndefined();
  });

  it('rejects where a missing instance is required, with the error of EC2 as the cause', async () => {
    const refusal = new AwsRefusal('InvalidInstanceID.NotFound');
    const call = provider({ describe: refusal }).made.require('i-none');
    await expect(call).rejects.toMatchObject({
      code: 'instance-not-found',
      message: 'instance i-none does not exist',
      cause: refusal,
    });
  });

  it('returns gone for the termination and the tags of an instance that EC2 no longer has', async () => {
    const { made } = provider({ createTags: new AwsRefusal('InvalidInstanceID.NotFound') });
    await made.list();
    living.clear();
    expect(await made.createTags('i-1', { a: 'b' })).toBe('gone');
    expect(await made.delete('i-1')).toBe('gone');
    expect([terminated, failures]).toEqual([[], []]);
  });

  it('returns gone when the instance disappears before it is terminated', async () => {
    living.set('i-raced', described('i-raced'));
    const { made } = provider();
    expect(await made.delete('i-raced')).toBe('gone');
    expect(failures).toEqual([]);
  });

  it('forgets what is no longer listed', async () => {
    const { made } = provider();
    await made.list();
    living.clear();
    await made.list();
    expect(await made.get('i-1')).toBeUndefined();
  });

  it('terminates an instance, but not one that is going', async () => {
    const { made } = provider();
    expect(await made.delete('i-1')).toBe('terminating');
    expect(terminated).toEqual(['i-1']);
    living.set('i-1', described('i-1', { State: { Name: 'shutting-down' } }));
    expect(await made.delete('i-1')).toBe('terminating');
    expect(terminated).toEqual(['i-1']);
  });

  it('counts a termination that failed', async () => {
    living.set('i-denied', described('i-denied'));
    await expect(provider().made.delete('i-denied')).rejects.toMatchObject({ code: 'UnauthorizedOperation' });
    expect(failures).toEqual([{ zone: 'zone-a', zone_id: 'az1' }]);
  });

  it('leaves instances of a shifted zone alone', async () => {
    const { made, describeInstance, createTags } = provider();
    await made.list();
    shifted.add('az1');
    living.clear();
    await made.list();
    expect((await made.get('i-1', { skipCache: true }))?.id).toBe('i-1');
    expect(describeInstance.inputs).toEqual([]);
    const where = 'instance i-1 is in zonally shifted availability zone zone-a (az1), skipping';
    await expect(made.delete('i-1')).rejects.toThrow(`${where} termination`);
    await expect(made.createTags('i-1', { a: 'b' })).rejects.toThrow(`${where} tag creation`);
    expect([terminated, createTags.inputs, failures]).toEqual([[], [], []]);
  });
});
