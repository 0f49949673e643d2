import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import type { LaunchBatches } from '../launch-batches/index.ts';
import type { Ec2 } from '../ports/index.ts';
import type { BatcherOptions } from './batcher.ts';
import { createFleetBatcher } from './create-fleet.ts';
import { describeInstanceBatcher } from './describe-instances.ts';
import { terminateInstanceBatcher } from './terminate-instances.ts';

export interface Ec2BatchOptions {
  readonly ec2: Pick<Ec2, 'createFleet' | 'describeInstances' | 'terminateInstances'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly batches: Pick<LaunchBatches, 'request'>;
  readonly onBatch?: BatcherOptions<unknown, unknown>['onBatch'];
  /** A number from 0 up to 1. */
  readonly random?: (() => number) | undefined;
}

/** The three EC2 calls that come in bursts, each batched. */
export interface BatchedEc2 {
  readonly createFleet: ReturnType<typeof createFleetBatcher>;
  readonly describeInstance: ReturnType<typeof describeInstanceBatcher>;
  readonly terminateInstance: ReturnType<typeof terminateInstanceBatcher>;
}

export function batchedEc2(options: Ec2BatchOptions): BatchedEc2 {
  return {
    createFleet: createFleetBatcher(options),
    describeInstance: describeInstanceBatcher(options),
    terminateInstance: terminateInstanceBatcher(options),
  };
}
