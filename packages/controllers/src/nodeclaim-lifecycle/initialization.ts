import { labelKeys, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import {
  initializationBlock,
  isTrue,
  isUnknown,
  type ResourceSlice,
  withConfirmed,
  withTrue,
  withUnknown,
} from '@karpenter/core/lifecycle';
import { stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedNode, ProviderIdIndex } from '../instances/index.ts';
import type { Step, StepOutcome } from './step.ts';

export interface InitializationContext extends Pick<ControllerContext, 'client' | 'log' | 'clock'> {
  readonly index: ProviderIdIndex;
  /** Absent when DRA requests are ignored; then devices do not block initialization. */
  readonly slices?: () => readonly ResourceSlice[];
}

const { registered, initialized } = nodeClaimConditions;

/**
 * Initializes a NodeClaim: waits until its Node is ready, has no startup taints and shows the requested
 * resources, then labels the Node as initialized. Only initialized nodes are candidates for disruption.
 */
export class Initialization implements Step {
  readonly #context: InitializationContext;

  constructor(context: InitializationContext) {
    this.#context = context;
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const { clock, index, slices } = this.#context;
    const now = clock.now();
    if (!isUnknown(claim, initialized)) return { claim: withConfirmed(claim, initialized, now) };
    if (!isTrue(claim, registered)) return { claim };
    const node = index.nodeOf(claim);
    const block = initializationBlock({ claim, node, ...(slices !== undefined && { slices: slices() }) });
    if (block !== undefined) return { claim: withUnknown(claim, initialized, block, now) };
    // The label comes before the condition: once the condition is stored this step never runs again, and a
    // label that was not written by then would stay missing.
    if (node === undefined || !(await this.#label(node))) return { claim };
    return {
      claim: withTrue(claim, initialized, now),
      afterStore: () => this.#logInitialized(claim, node),
    };
  }

  /** Labels the Node. Returns false when it changed since it was read, which triggers the next reconcile. */
  async #label(node: CachedNode): Promise<boolean> {
    if (node.metadata.labels?.[labelKeys.initialized] === 'true') return true;
    const labels = { [labelKeys.initialized]: 'true' };
    const { client } = this.#context;
    return (await writeObject(client, stateSources.Node, node, { metadata: { labels } })) !== undefined;
  }

  #logInitialized({ status }: NodeClaim, node: CachedNode): void {
    this.#context.log.info('initialized nodeclaim', {
      'provider-id': status?.providerID,
      allocatable: node.status?.allocatable,
    });
  }
}
