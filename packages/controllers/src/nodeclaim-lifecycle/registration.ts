import {
  events,
  labelKeys,
  type NodeClaim,
  nodeClaimConditions,
  nodeMetrics,
  registrationReasons,
  unregisteredTaint,
} from '@karpenter/core/api';
import {
  isUnknown,
  lacksUnregisteredTaint,
  nodeSync,
  withConfirmed,
  withFalse,
  withStatus,
  withTrue,
  withUnknown,
} from '@karpenter/core/lifecycle';
import type { Labels } from '@karpenter/core/values';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedNode, ProviderIdIndex } from '../instances/index.ts';
import { type HooksResult, runHooks } from './registration-hooks.ts';
import type { Step, StepOutcome } from './step.ts';

export interface RegistrationContext
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock'> {
  readonly index: ProviderIdIndex;
  /** Called for every claim that has registered, after that is stored. */
  readonly onRegistered: (claim: NodeClaim) => void | Promise<void>;
}

const { registered } = nodeClaimConditions;

/**
 * Registers a NodeClaim: finds the Node of its instance, copies labels, annotations and taints of the claim
 * to it and removes the unregistered taint. Until then no pod can be bound to the Node, because it may lack
 * labels and taints.
 */
export class Registration implements Step {
  readonly #context: RegistrationContext;

  constructor(context: RegistrationContext) {
    this.#context = context;
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const { clock, index } = this.#context;
    const now = clock.now();
    // A registered Node is never synced again: a startup taint that was removed would come back.
    if (!isUnknown(claim, registered)) return { claim: withConfirmed(claim, registered, now) };
    const [node, another] = index.nodesOf(claim);
    if (node === undefined) {
      return { claim: withUnknown(claim, registered, registrationReasons.nodeNotFound, now) };
    }
    // False is final, as in Karpenter: the registration timeout deletes the claim.
    if (another !== undefined) {
      return { claim: withFalse(claim, registered, registrationReasons.multipleNodesFound, now) };
    }
    if (lacksUnregisteredTaint(node)) this.#warnOfTaint(claim);
    return this.#register(claim, node);
  }

  async #register(claim: NodeClaim, node: CachedNode): Promise<StepOutcome> {
    const hooks = await runHooks(this.#context.cloud.registrationHooks, claim);
    const labelled = withLabels(claim, hooks.labels);
    if (hooks.pending.length > 0) return this.#wait(labelled, node, hooks);
    // The Node comes before the condition: once Registered is stored this step never runs again, and the Node
    // would keep its unregistered taint.
    if (!(await this.#sync(labelled, node, true))) return { claim: labelled };
    const { metadata } = node;
    return {
      claim: withTrue(
        withStatus(labelled, { nodeName: metadata.name }),
        registered,
        this.#context.clock.now(),
      ),
      afterStore: () => this.#reportRegistered(labelled, metadata.name),
    };
  }

  /**
   * While hooks are pending the Node gets labels and taints of its claim, but keeps the unregistered taint.
   */
  async #wait(claim: NodeClaim, node: CachedNode, hooks: HooksResult): Promise<StepOutcome> {
    // A conflict is ignored: the claim waits in any case, and the next reconcile syncs again.
    await this.#sync(claim, node, false);
    const reason = registrationReasons.hooksPending(hooks.pending);
    const { requeueAfter, errors } = hooks;
    return {
      claim: withUnknown(claim, registered, reason, this.#context.clock.now()),
      ...(requeueAfter !== undefined && { requeueAfter }),
      ...(errors.length > 0 && {
        error: errors.length === 1 ? errors[0] : new AggregateError(errors, joinMessages(errors)),
      }),
    };
  }

  /**
   * Writes labels, annotations and taints of the claim to the Node. Returns false when the Node changed since
   * it was read; the watch event of that change triggers the next reconcile.
   */
  async #sync(claim: NodeClaim, node: CachedNode, registers: boolean): Promise<boolean> {
    const change = nodeSync(claim, node, { registers });
    if (change === undefined) return true;
    return (await writeObject(this.#context.client, stateSources.Node, node, change)) !== undefined;
  }

  /**
   * The kubelet must register the Node with the unregistered taint. Without it pods may have been bound
   * before labels and taints were synced. As in Karpenter registration goes on: refusing it would not undo that.
   */
  #warnOfTaint(claim: NodeClaim): void {
    const { log, recorder } = this.#context;
    log.error('node claim registration error', {
      error: `missing required startup taint, ${unregisteredTaint.key}`,
    });
    recorder.publish({
      definition: events.unregisteredTaintMissing,
      kind: nodeClaims,
      object: claim,
      message: `Missing ${unregisteredTaint.key} taint which prevents registration related race conditions on Karpenter-managed nodes`,
    });
  }

  async #reportRegistered(claim: NodeClaim, nodeName: string): Promise<void> {
    const { log, meters, onRegistered } = this.#context;
    const { labels = {} } = claim.metadata;
    log.info('registered nodeclaim', { 'provider-id': claim.status?.providerID, Node: { name: nodeName } });
    meters.increment(nodeMetrics.created, {
      nodepool: labels[labelKeys.nodePool] ?? '',
      zone: labels[labelKeys.zone] ?? '',
    });
    await onRegistered(claim);
  }
}

function withLabels(claim: NodeClaim, labels: Labels): NodeClaim {
  if (Object.keys(labels).length === 0) return claim;
  const { metadata } = claim;
  return { ...claim, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

function joinMessages(errors: readonly Error[]): string {
  return errors.map(({ message }) => message).join('; ');
}
