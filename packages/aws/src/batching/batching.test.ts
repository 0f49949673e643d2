import type { CreateFleetCommandInput, CreateFleetCommandOutput } from '@aws-sdk/client-ec2';
import { minutes } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { AwsRefusal, RecordedLogText, recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { LaunchBatches } from '../launch-batches/index.ts';
import type { CallOutput, Ec2 } from '../ports/index.ts';
import { RequestBatcher } from './batcher.ts';
import type { FleetCall } from './create-fleet.ts';
import { batchedEc2 } from './ec2-batchers.ts';

type Fleet = CallOutput<CreateFleetCommandOutput>;
let clock: VirtualClock;
let log: RecordedLogText;

beforeEach(() => {
  clock = new VirtualClock();
  log = new RecordedLogText();
});

const unexpected = async (): Promise<never> => {
  throw new Error('nobody should call this');
};
const batched = (calls: Partial<Ec2>) =>
  batchedEc2({
    ec2: { createFleet: unexpected, describeInstances: unexpected, terminateInstances: unexpected, ...calls },
    clock,
    log,
    batches: new LaunchBatches({ clock, unique: () => 'unused' }),
    random: () => 0.5,
  });

describe('a batcher', () => {
  const sizes: number[] = [];
  const batcher = (maxItems = 100) =>
    new RequestBatcher<string, string>({
      clock,
      window: { name: 'test', idle: durationMs(10), max: durationMs(50), maxItems },
      bucketOf: (text) => text.charAt(0),
      execute: async (texts) => texts.map((text) => ({ output: `${text} of ${texts.length}` })),
      onBatch: ({ size }) => sizes.push(size),
    });

  it('waits until nobody has added anything for a while, and makes a batch of each bucket', async () => {
    const one = batcher();
    const first = one.add('a1');
    await clock.advance(9);
    const others = [one.add('a2'), one.add('b1')];
    await clock.advance(9);
    expect(sizes).toEqual([]);
    await clock.advance(1);
    expect(await Promise.all([first, ...others])).toEqual(['a1 of 2', 'a2 of 2', 'b1 of 1']);
    expect(sizes.splice(0)).toEqual([2, 1]);
  });

  it('does not wait for ever', async () => {
    const one = batcher();
    const calls = [];
    for (let step = 0; step < 6; step += 1) {
      calls.push(one.add(`a${step}`));
      await clock.advance(9);
    }
    expect(await calls[0]).toBe('a0 of 6');
    sizes.length = 0;
  });

  it('does not wait once enough have come', async () => {
    const one = batcher(2);
    expect(await Promise.all([one.add('a1'), one.add('a2')])).toEqual(['a1 of 2', 'a2 of 2']);
    sizes.length = 0;
  });
});

describe('fleet requests', () => {
  let claims = 0;
  beforeEach(() => {
    claims = 0;
  });
  const request = (tag = 'x', claim = `claim-${++claims}`, batch = 'one'): FleetCall => ({
    input: {
      LaunchTemplateConfigs: [],
      TargetCapacitySpecification: { TotalTargetCapacity: 1 },
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'a', Value: tag }] }],
    },
    batch: { id: batch, mismatches: 0 },
    claim,
  });

  it('are made one if they are equal, whether or not they share their overrides', async () => {
    const fleets = recordedCall((_: CreateFleetCommandInput): Fleet => ({ FleetId: 'fleet-1' }));
    const overriding = (...types: readonly ('m5.large' | 'c5.large')[]): FleetCall => {
      const call = request();
      const Overrides = types.map((InstanceType) => ({ InstanceType }));
      return { ...call, input: { ...call.input, LaunchTemplateConfigs: [{ Overrides }] } };
    };
    const { createFleet } = batched({ createFleet: fleets });
    const first = overriding('m5.large');
    const sharing = { ...request(), input: first.input };
    const calls = [
      first,
      sharing,
      overriding('m5.large'),
      overriding('c5.large'),
      overriding('m5.large', 'c5.large'),
    ];
    const answers = Promise.all(calls.map((call) => createFleet(call)));
    await clock.advance(35);
    await clock.advance(35);
    await clock.advance(35);
    await answers;
    const sizes = fleets.inputs.map((input) => input.TargetCapacitySpecification?.TotalTargetCapacity);
    expect(sizes).toEqual([3, 1, 1]);
  });

  it('that are equal are made as one, and the instances dealt out', async () => {
    const createFleet = recordedCall(
      ({ TargetCapacitySpecification: target }: CreateFleetCommandInput): Fleet => ({
        FleetId: 'fleet-1',
        Instances: [
          {
            InstanceType: 'm5.large',
            InstanceIds: target?.TotalTargetCapacity === 2 ? ['i-1', 'i-2'] : ['i-3'],
          },
        ],
      }),
    );
    const { createFleet: create } = batched({ createFleet });
    const answers = Promise.all([create(request()), create(request()), create(request('y'))]);
    await clock.advance(35);
    expect((await answers).map(({ Instances }) => Instances?.[0]?.InstanceIds)).toEqual([
      ['i-1'],
      ['i-2'],
      ['i-3'],
    ]);
    expect(createFleet.inputs).toHaveLength(2);
  });

  it('that get too few instances share the errors, or get an error that says so', async () => {
    const error = { ErrorCode: 'InsufficientInstanceCapacity', ErrorMessage: 'none' };
    const answers = [
      { FleetId: 'f', Errors: [error], Instances: [{ InstanceIds: ['i-1'] }] },
      { FleetId: 'f' },
    ];
    const { createFleet: create } = batched({
      createFleet: recordedCall((_, count) => answers[count - 1] ?? {}),
    });
    const two = Promise.all([create(request()), create(request())]);
    await clock.advance(35);
    expect((await two)[1]).toEqual({ FleetId: 'f', Errors: [error] });
    const none = create(request());
    await clock.advance(35);
    expect(await none).toEqual({
      Errors: [{ ErrorCode: 'too few instances returned', ErrorMessage: 'too few instances returned' }],
    });
  });

  it('fail together, and must be for one instance each', async () => {
    const failing = batched({
      createFleet: async () => {
        throw new AwsRefusal('UnauthorizedOperation');
      },
    });
    const both = Promise.allSettled([failing.createFleet(request()), failing.createFleet(request())]);
    await clock.advance(35);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(
      failing.createFleet({
        input: { ...request().input, TargetCapacitySpecification: { TotalTargetCapacity: 2 } },
        batch: { id: 'one', mismatches: 0 },
        claim: 'a',
      }),
    ).rejects.toThrow('expected to receive a single instance only');
  });

  it('that come too often are made again at random times, with the same token', async () => {
    const sent: (string | undefined)[] = [];
    const times: number[] = [];
    const createFleet = async ({ ClientToken }: CreateFleetCommandInput) => {
      sent.push(ClientToken);
      times.push(clock.now());
      if (times.length < 4) throw new AwsRefusal('RequestLimitExceeded');
      return { Instances: [{ InstanceIds: ['i-1'] }] };
    };
    const { createFleet: create } = batched({ createFleet });
    const answer = create(request());
    await clock.advance(35 + 500 + 1000 + 2000);
    expect((await answer).Instances?.[0]?.InstanceIds).toEqual(['i-1']);
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([500, 1000, 2000]);
    expect(new Set(sent).size).toBe(1);
  });

  it('have tokens that follow from their batch, and deal the same answer to the same claims', async () => {
    const sent: (string | undefined)[] = [];
    const createFleet = async ({ ClientToken }: CreateFleetCommandInput) => {
      sent.push(ClientToken);
      return { Instances: [{ InstanceIds: ['i-1', 'i-2'] }] };
    };
    const launch = async (batch: string, ...claims: readonly string[]) => {
      const { createFleet: create } = batched({ createFleet });
      const answers = Promise.all(claims.map((claim) => create(request('x', claim, batch))));
      await clock.advance(35);
      return (await answers).map(({ Instances }) => Instances?.[0]?.InstanceIds);
    };
    expect(await launch('one', 'a', 'b')).toEqual([['i-1'], ['i-2']]);
    expect(await launch('one', 'b', 'a')).toEqual([['i-2'], ['i-1']]);
    await launch('one', 'c');
    await launch('two', 'a');
    expect(sent[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(sent.slice(0, 3)).toEqual([sent[0], sent[0], sent[0]]);
    expect(new Set(sent).size).toBe(2);
  });

  it('carry the batch as a tag of the instances, and are made apart for different batches', async () => {
    const createFleet = recordedCall((_: CreateFleetCommandInput): Fleet => ({}));
    const { createFleet: create } = batched({ createFleet });
    const batches = ['one', 'one', 'two'];
    const answers = Promise.all(batches.map((batch, index) => create(request('x', `claim-${index}`, batch))));
    await clock.advance(35);
    await answers;
    const tags = createFleet.inputs.map((input) => input.TagSpecifications?.[0]?.Tags?.at(-1));
    const Key = 'karpenter.k8s.aws/launch-batch';
    expect(tags).toEqual([
      { Key, Value: 'one' },
      { Key, Value: 'two' },
    ]);
  });

  it('are given up at once when this process may not write any more', async () => {
    const refusal = new CodedError('lease-lost', 'lost the lease');
    const createFleet = recordedCall((_, count): Fleet => {
      throw count === 1 ? new AwsRefusal('RequestLimitExceeded') : refusal;
    });
    const { createFleet: create } = batched({ createFleet });
    const answer = Promise.allSettled([create(request())]);
    await clock.advance(minutes(3));
    expect((await answer)[0]).toMatchObject({ reason: refusal });
    expect(createFleet.inputs).toHaveLength(2);
  });

  it('are given up when they still come too often after minutes', async () => {
    const createFleet = recordedCall((): Fleet => {
      throw new AwsRefusal('RequestLimitExceeded');
    });
    const { createFleet: create } = batched({ createFleet });
    const answer = Promise.allSettled([create(request())]);
    await clock.advance(minutes(3));
    expect((await answer)[0]).toMatchObject({ reason: { code: 'RequestLimitExceeded' } });
    expect(createFleet.inputs).toHaveLength(11);
  });

  it('that get too much say so', async () => {
    const { createFleet: create } = batched({
      createFleet: async () => ({ Instances: [{ InstanceIds: ['i-1', 'i-2'] }] }),
    });
    const answer = create(request());
    await clock.advance(35);
    expect((await answer).Instances?.[0]?.InstanceIds).toEqual(['i-1']);
    expect(log.lines).toEqual(['error received more instances than were requested']);
  });
});

describe('terminating instances', () => {
  it('does not try each alone when this process may not write any more', async () => {
    const refusal = new CodedError('lease-lost', 'lost the lease');
    const terminateInstances = recordedCall((): { TerminatingInstances: [] } => {
      throw refusal;
    });
    const { terminateInstance } = batched({ terminateInstances });
    const both = Promise.allSettled(['i-1', 'i-2'].map((id) => terminateInstance(id)));
    await clock.advance(100);
    expect((await both).map((one) => one.status === 'rejected' && one.reason)).toEqual([refusal, refusal]);
    expect(terminateInstances.inputs).toHaveLength(1);
  });
});

describe('describing instances', () => {
  it('asks nobody again alone when EC2 says that it is asked too often', async () => {
    const describeInstances = recordedCall((): { Reservations: [] } => {
      throw new AwsRefusal('RequestLimitExceeded');
    });
    const { describeInstance } = batched({ describeInstances });
    const both = Promise.allSettled(
      ['i-1', 'i-2'].map((id) => describeInstance({ InstanceIds: [id], Filters: [] })),
    );
    await clock.advance(100);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(describeInstances.inputs).toHaveLength(1);
  });

  it('asks once for all, and again for each that is missing', async () => {
    const describeInstances = recordedCall(({ InstanceIds = [] }: { InstanceIds?: string[] | undefined }) => {
      if (InstanceIds.includes('i-gone')) throw new AwsRefusal('InvalidInstanceID.NotFound');
      return { Reservations: [{ Instances: InstanceIds.map((InstanceId) => ({ InstanceId })) }] };
    });
    const { describeInstance } = batched({ describeInstances });
    const all = Promise.allSettled(
      ['i-1', 'i-gone', 'i-1'].map((id) => describeInstance({ InstanceIds: [id] })),
    );
    await clock.advance(100);
    expect((await all).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      { InstanceId: 'i-1' },
      'failed',
      { InstanceId: 'i-1' },
    ]);
    expect(describeInstances.inputs.map(({ InstanceIds }) => InstanceIds)).toEqual([
      ['i-1', 'i-gone'],
      ['i-1'],
      ['i-gone'],
    ]);
  });
});

describe('terminating instances', () => {
  it('tries again alone what did not begin to end', async () => {
    const state = (InstanceId: string, Name: 'running' | 'shutting-down') => ({
      InstanceId,
      CurrentState: { Name },
    });
    const terminateInstances = recordedCall((_: unknown, count) => ({
      TerminatingInstances:
        count === 1
          ? [state('i-1', 'shutting-down'), state('i-2', 'running')]
          : [state('i-2', 'shutting-down')],
    }));
    const { terminateInstance } = batched({ terminateInstances });
    const both = Promise.all([terminateInstance('i-1'), terminateInstance('i-2')]);
    await clock.advance(100);
    expect(await both).toEqual([state('i-1', 'shutting-down'), state('i-2', 'shutting-down')]);
    expect(terminateInstances.inputs).toHaveLength(2);
  });
});
