import { labelKeys, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import {
  initializationBlock,
  isOpen,
  isTrue,
  type ResourceSlice,
  withConfirmed,
  withTrue,
  withUnknown,
} from '@karpenter/core/lifecycle';
import { stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedNode, MachineIndex } from '../machines/index.ts';
import type { Step, StepOutcome } from './step.ts';

export interface InitializationContext extends Pick<ControllerContext, 'client' | 'log' | 'clock'> {
  readonly machines: MachineIndex;
  /** Absent where devices are not looked at. */
  readonly slices?: () => readonly ResourceSlice[];
}

const { registered, initialized } = nodeClaimConditions;

/** From a Node to one that can take the pods it was made for. */
export class Initialization implements Step {
  readonly #context: InitializationContext;

  constructor(context: InitializationContext) {
    this.#context = context;
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const { clock, machines, slices } = this.#context;
    const now = clock.now();
    if (!isOpen(claim, initialized)) return { claim: withConfirmed(claim, initialized, now) };
    if (!isTrue(claim, registered)) return { claim };
    const node = machines.nodeOf(claim);
    const block = initializationBlock({ claim, node, ...(slices !== undefined && { slices: slices() }) });
    if (block !== undefined) return { claim: withUnknown(claim, initialized, block, now) };
    if (node === undefined || !(await this.#label(node))) return { claim };
    return {
      claim: withTrue(claim, initialized, now),
      announce: () => this.#announce(claim, node),
    };
  }

  /** Whether the Node has the label; not where somebody changed it meanwhile, which brings the claim back. */
  async #label(node: CachedNode): Promise<boolean> {
    if (node.metadata.labels?.[labelKeys.initialized] === 'true') return true;
    const labels = { [labelKeys.initialized]: 'true' };
    const { client } = this.#context;
    return (await writeObject(client, stateSources.Node, node, { metadata: { labels } })) !== undefined;
  }

  #announce({ status }: NodeClaim, node: CachedNode): void {
    this.#context.log.info('initialized nodeclaim', {
      'provider-id': status?.providerID,
      allocatable: node.status?.allocatable,
    });
  }
}
