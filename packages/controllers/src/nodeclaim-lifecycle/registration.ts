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
  isOpen,
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
import type { CachedNode, MachineIndex } from '../machines/index.ts';
import { askHooks, type HooksVerdict } from './registration-hooks.ts';
import type { Step, StepOutcome } from './step.ts';

export interface RegistrationContext
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock'> {
  readonly machines: MachineIndex;
  /** CandidateMessage of every claim that became a node. */
  readonly onRegistered: (claim: NodeClaim) => void | Promise<void>;
}

const { registered } = nodeClaimConditions;

/** From a machine to a Node that carries what its claim promised. */
export class Registration implements Step {
  readonly #context: RegistrationContext;

  constructor(context: RegistrationContext) {
    this.#context = context;
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const { clock, machines } = this.#context;
    const now = clock.now();
    if (!isOpen(claim, registered)) return { claim: withConfirmed(claim, registered, now) };
    const [node, another] = machines.nodesOf(claim);
    if (node === undefined) {
      return { claim: withUnknown(claim, registered, registrationReasons.nodeNotFound, now) };
    }
    if (another !== undefined) {
      return { claim: withFalse(claim, registered, registrationReasons.multipleNodesFound, now) };
    }
    if (lacksUnregisteredTaint(node)) this.#warnOfTaint(claim);
    return this.#register(claim, node);
  }

  async #register(claim: NodeClaim, node: CachedNode): Promise<StepOutcome> {
    const hooks = await askHooks(this.#context.cloud.registrationHooks, claim);
    const labelled = withLabels(claim, hooks.labels);
    if (hooks.pending.length > 0) return this.#wait(labelled, node, hooks);
    if (!(await this.#sync(labelled, node, true))) return { claim: labelled };
    const { metadata } = node;
    return {
      claim: withTrue(
        withStatus(labelled, { nodeName: metadata.name }),
        registered,
        this.#context.clock.now(),
      ),
      announce: () => this.#announce(labelled, metadata.name),
    };
  }

  /** The Node gets what it needs at once, but keeps the taint. */
  async #wait(claim: NodeClaim, node: CachedNode, hooks: HooksVerdict): Promise<StepOutcome> {
    await this.#sync(claim, node, false);
    const words = registrationReasons.hooksPending(hooks.pending);
    const { requeueAfter, errors } = hooks;
    return {
      claim: withUnknown(claim, registered, words, this.#context.clock.now()),
      ...(requeueAfter !== undefined && { requeueAfter }),
      ...(errors.length > 0 && {
        error: errors.length === 1 ? errors[0] : new AggregateError(errors, all(errors)),
      }),
    };
  }

  /** Whether the Node is as the claim wants it; not where somebody changed it meanwhile, which brings the claim back. */
  async #sync(claim: NodeClaim, node: CachedNode, registers: boolean): Promise<boolean> {
    const wanted = nodeSync(claim, node, { registers });
    if (wanted === undefined) return true;
    return (await writeObject(this.#context.client, stateSources.Node, node, wanted)) !== undefined;
  }

  /** Pods may have come before labels and taints did; that cannot be mended by not registering. */
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

  async #announce(claim: NodeClaim, nodeName: string): Promise<void> {
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

function all(errors: readonly Error[]): string {
  return errors.map(({ message }) => message).join('; ');
}
