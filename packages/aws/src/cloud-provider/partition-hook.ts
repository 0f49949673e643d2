import { type NodeClaim, seconds } from '@karpenter/core/api';
import type { HookOutcome, RegistrationHook } from '@karpenter/core/ports';
import { type InstanceProvider, parseInstanceId } from '../instances/index.ts';
import { awsLabelKeys } from '../names/index.ts';
import { partitionStep } from '../placement-groups/index.ts';

const again: HookOutcome = { done: false, requeueAfter: seconds(1) };

/** Only EC2 knows into which partition of a placement group it has put an instance, and tells a little later. */
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
    if (step === 'wait') return again;
    const { partition } = await this.#instances.require(parseInstanceId(providerId), { skipCache: true });
    if (partition === undefined) return again;
    return { done: true, labels: { [awsLabelKeys.placementGroupPartition]: partition } };
  }
}
