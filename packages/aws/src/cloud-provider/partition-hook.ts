import { type NodeClaim, seconds } from '@karpenter/core/api';
import type { HookOutcome, RegistrationHook } from '@karpenter/core/ports';
import { type InstanceProvider, parseInstanceId } from '../instances/index.ts';
import { awsLabelKeys } from '../names/index.ts';
import { partitionStep } from '../placement-groups/index.ts';

const retry: HookOutcome = { done: false, requeueAfter: seconds(1) };

/**
 * Labels the node with its partition of the placement group. EC2 chooses the partition, and reports it only some time
 * after the launch; hence the read without cache.
 */
export class PlacementGroupRegistrationHook implements RegistrationHook {
  readonly name = 'PlacementGroupRegistrationHook';
  readonly #instances: Pick<InstanceProvider, 'require'>;

  constructor(instances: Pick<InstanceProvider, 'require'>) {
    this.#instances = instances;
  }

  async registered({ metadata, status }: NodeClaim): Promise<HookOutcome> {
    const providerId = status?.providerID ?? '';
    const step = partitionStep(metadata.labels ?? {}, providerId);
    if (step === 'pass') return { done: true };
    if (step === 'wait') return retry;
    const { partition } = await this.#instances.require(parseInstanceId(providerId), { skipCache: true });
    if (partition === undefined) return retry;
    return { done: true, labels: { [awsLabelKeys.placementGroupPartition]: partition } };
  }
}
