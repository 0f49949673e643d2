import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import { failedLaunchDecision, launchDecision, RepeatedDecisions } from '@karpenter/core/decisions';
import { nodePrice } from '@karpenter/core/disruption';
import type { CloudInstance } from '@karpenter/core/ports';
import type { ControllerContext } from '../context/index.ts';

type LaunchDecisionContext = Pick<ControllerContext, 'cluster' | 'clock' | 'decisions'>;

/** Records launches in the decision log. A retry that fails with the same error counts as a repeat. */
export class LaunchDecisions {
  readonly #context: LaunchDecisionContext;
  readonly #failures: RepeatedDecisions;

  constructor(context: LaunchDecisionContext) {
    this.#context = context;
    this.#failures = new RepeatedDecisions(context.decisions, () => context.clock.now());
  }

  launched(claim: NodeClaim, { labels }: CloudInstance): void {
    const { decisions } = this.#context;
    if (decisions.isOn)
      decisions.record(launchDecision(claim, { labels, hourly: this.#price(claim, labels) }));
  }

  failed(claim: NodeClaim, failure: string): void {
    const key = `${claim.metadata.name} ${failure}`;
    this.#failures.record(key, () => failedLaunchDecision(claim, failure));
  }

  #price({ metadata }: NodeClaim, labels: CloudInstance['labels']): number | undefined {
    const nodePool = metadata.labels?.[labelKeys.nodePool] ?? '';
    const types = this.#context.cluster.state.instanceTypesOf(nodePool);
    const type = types.find(({ name }) => name === labels[labelKeys.instanceType]);
    const { [labelKeys.zone]: zone, [labelKeys.capacityType]: capacityType } = labels;
    if (type === undefined || zone === undefined || capacityType === undefined) return undefined;
    return nodePrice(type, { zone, capacityType });
  }
}
