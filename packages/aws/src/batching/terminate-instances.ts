import type { InstanceStateChange } from '@aws-sdk/client-ec2';
import { batching } from '../names/index.ts';
import { noResult, RequestBatcher, type Share } from './batcher.ts';
import { resultsOf } from './describe-instances.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';

const terminatingStates: ReadonlySet<string> = new Set(['shutting-down', 'terminated']);

/** Terminates one instance and returns its state change. */
export function terminateInstanceBatcher({ ec2, clock, onBatch }: Ec2BatchOptions) {
  const terminate = async (ids: readonly string[]): Promise<readonly InstanceStateChange[]> => {
    const { TerminatingInstances = [] } = await ec2.terminateInstances({ InstanceIds: [...ids] });
    return TerminatingInstances;
  };

  const alone = async (id: string): Promise<Share<InstanceStateChange>> => {
    try {
      const [change] = await terminate([id]);
      return change === undefined ? { error: noResult() } : { output: change };
    } catch (error) {
      return { error };
    }
  };

  const batcher = new RequestBatcher<string, InstanceStateChange>({
    clock,
    window: batching.terminateInstances,
    bucketOf: () => '',
    execute: async (inputs) => {
      const ids = [...new Set(inputs)];
      const changes = await resultsOf(() => terminate(ids));
      const terminating = changes.filter(({ CurrentState }) =>
        terminatingStates.has(CurrentState?.Name ?? ''),
      );
      const shares = new Map<string, Share<InstanceStateChange>>(
        terminating.map((change) => [change.InstanceId ?? '', { output: change }]),
      );
      // Tried alone, so that one bad id does not decide for the others of the batch.
      const rest = ids.filter((id) => !shares.has(id));
      for (const [id, share] of await Promise.all(rest.map(async (id) => [id, await alone(id)] as const))) {
        shares.set(id, share);
      }
      return inputs.map((id) => shares.get(id) ?? { error: noResult() });
    },
    ...(onBatch !== undefined && { onBatch }),
  });

  return (id: string): Promise<InstanceStateChange> => batcher.add(id);
}
