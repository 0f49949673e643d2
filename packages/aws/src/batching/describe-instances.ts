import type { DescribeInstancesCommandInput, Instance } from '@aws-sdk/client-ec2';
import { isFenceRefusal } from '@karpenter/kube/runtime';
import { isThrottled } from '../aws-errors/index.ts';
import { allPages, pageAfter } from '../caching/index.ts';
import { canonicalText } from '../launch-templates/index.ts';
import { batching } from '../names/index.ts';
import { RequestBatcher, type Share } from './batcher.ts';
import { notSingle } from './create-fleet.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';

/** Describes one instance; undefined if EC2 does not list it. */
export function describeInstanceBatcher({ ec2, clock, onBatch }: Ec2BatchOptions) {
  const describe = async (input: DescribeInstancesCommandInput): Promise<readonly Instance[]> =>
    allPages(
      (token) => ec2.describeInstances({ ...input, ...pageAfter(token) }),
      ({ Reservations }) => Reservations?.flatMap(({ Instances = [] }) => Instances),
    );

  const alone = async (input: DescribeInstancesCommandInput): Promise<Share<Instance | undefined>> => {
    try {
      const [instance] = await describe(input);
      return { output: instance };
    } catch (error) {
      return { error };
    }
  };

  const batcher = new RequestBatcher<DescribeInstancesCommandInput, Instance | undefined>({
    clock,
    window: batching.describeInstances,
    bucketOf: ({ Filters }) => canonicalText(Filters),
    execute: async (inputs) => {
      const byId = new Map(inputs.map((input) => [idOf(input), input]));
      const found = await resultsOf(() => describe({ ...inputs[0], InstanceIds: [...byId.keys()] }));
      const known = new Map(found.map((instance) => [instance.InstanceId ?? '', instance]));
      // One unknown id fails the whole call, so each id without a result is described alone.
      const rest = [...byId].filter(([id]) => !known.has(id));
      const singles = new Map(
        await Promise.all(rest.map(async ([id, input]) => [id, await alone(input)] as const)),
      );
      return inputs.map((input) => singles.get(idOf(input)) ?? { output: known.get(idOf(input)) });
    },
    ...(onBatch !== undefined && { onBatch }),
  });

  return async (input: DescribeInstancesCommandInput): Promise<Instance | undefined> => {
    if (input.InstanceIds?.length !== 1) throw notSingle();
    return batcher.add(input);
  };
}

function idOf({ InstanceIds }: DescribeInstancesCommandInput): string {
  return InstanceIds?.[0] ?? '';
}

/**
 * The results of a call for many instances; empty if it failed, because each instance is then retried alone. A
 * throttled or fenced call must not turn into many, so these errors are thrown (ADR 0022).
 */
export async function resultsOf<T>(call: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await call();
  } catch (error) {
    if (isThrottled(error) || isFenceRefusal(error)) throw error;
    return [];
  }
}
