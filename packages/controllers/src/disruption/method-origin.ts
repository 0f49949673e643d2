import { type DisruptionMethod, waitingRecord } from '@karpenter/core/decisions';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import type { CommandQueue, MethodOrigin } from '../disruption-queue/index.ts';
import type { WaitingCommands } from './waiting-commands.ts';

interface OriginParts {
  readonly captured: CapturedCluster;
  readonly method: DisruptionMethod;
  readonly queue: Pick<CommandQueue, 'nodes'>;
  readonly waiting: WaitingCommands;
}

/** The inputs of a method before it runs. Both lists are copied now, because the method changes them. */
export function methodOrigin({ captured, method, queue, waiting }: OriginParts): MethodOrigin {
  const queued = queue.nodes;
  const { all } = waiting;
  return {
    captured,
    inputs: () => ({ method, queued: [...queued], waiting: all.map(waitingRecord) }),
  };
}
