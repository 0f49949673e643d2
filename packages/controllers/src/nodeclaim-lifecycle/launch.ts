import {
  events,
  forcedDisruptionReasons,
  labelKeys,
  launchReasons,
  type NodeClaim,
  nodeClaimConditions,
} from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import {
  isUnknown,
  launchedClaim,
  quotedError,
  type ReasonAndMessage,
  withConfirmed,
  withTrue,
  withUnknown,
} from '@karpenter/core/lifecycle';
import {
  type CloudInstance,
  isInsufficientCapacity,
  isLaunchFailed,
  isNodeClassNotReady,
} from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { disruptClaim } from '../instances/index.ts';
import type { LaunchAttempts } from './launch-attempts.ts';
import { LaunchDecisions } from './launch-decisions.ts';
import type { Step, StepOutcome } from './step.ts';

type LaunchStepContext = Pick<
  ControllerContext,
  'client' | 'cluster' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'decisions'
>;

const { launched } = nodeClaimConditions;

/**
 * Launches the instance of a NodeClaim. As in Karpenter, insufficient capacity and a NodeClass that is not ready delete
 * the claim, so that its pods are planned again; other errors are retried.
 */
export class Launch implements Step {
  readonly #context: LaunchStepContext;
  readonly #attempts: LaunchAttempts;
  readonly #decisions: LaunchDecisions;

  constructor(context: LaunchStepContext, attempts: LaunchAttempts) {
    this.#context = context;
    this.#attempts = attempts;
    this.#decisions = new LaunchDecisions(context);
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const now = this.#context.clock.now();
    if (!isUnknown(claim, launched)) return { claim: withConfirmed(claim, launched, now) };
    const attempt = this.#attempts.get(uidOf(claim));
    if (attempt?.state === 'launched') return this.#launched(claim, attempt.instance);
    // The claim is not deleted yet, or the cache does not show it: delete it again rather than launch again.
    if (attempt?.state === 'refused') return this.#giveUp(claim, attempt.reason);
    if (attempt?.state === 'failed' && now < attempt.retryAt) {
      return { claim, requeueAfter: durationMs(attempt.retryAt - now) };
    }
    return this.#create(claim);
  }

  async #create(claim: NodeClaim): Promise<StepOutcome> {
    try {
      const instance = await this.#context.cloud.create(claim);
      // Before anything else: `CloudProvider.create` must not be called again once it has returned an
      // instance.
      this.#attempts.set(uidOf(claim), { state: 'launched', instance });
      this.#logLaunched(instance);
      this.#decisions.launched(claim, instance);
      return this.#launched(claim, instance);
    } catch (error) {
      if (isInsufficientCapacity(error)) return this.#withoutCapacity(claim, error);
      // As in Karpenter only insufficient capacity publishes an event.
      if (isNodeClassNotReady(error))
        return this.#refused(claim, error, forcedDisruptionReasons.nodeClassNotReady);
      return this.#failed(claim, error);
    }
  }

  #launched(claim: NodeClaim, instance: CloudInstance): StepOutcome {
    return { claim: withTrue(launchedClaim(claim, instance), launched, this.#context.clock.now()) };
  }

  #logLaunched({ providerId, labels, allocatable }: CloudInstance): void {
    this.#context.log.info('launched nodeclaim', {
      'provider-id': providerId,
      'instance-type': labels[labelKeys.instanceType],
      zone: labels[labelKeys.zone],
      'capacity-type': labels[labelKeys.capacityType],
      allocatable,
    });
  }

  #withoutCapacity(claim: NodeClaim, error: CodedError): Promise<StepOutcome> {
    this.#context.recorder.publish({
      definition: events.insufficientCapacity,
      kind: nodeClaims,
      object: claim,
      message: `NodeClaim ${claim.metadata.name} event: ${quotedError(error.message)}`,
    });
    return this.#refused(claim, error, forcedDisruptionReasons.insufficientCapacity);
  }

  #refused(claim: NodeClaim, error: CodedError, reason: string): Promise<StepOutcome> {
    this.#context.log.error('failed launching nodeclaim', { error: error.message });
    this.#attempts.set(uidOf(claim), { state: 'refused', reason });
    this.#decisions.failed(claim, error.message);
    return this.#giveUp(claim, reason);
  }

  /**
   * Deletes the claim. A conflict is ignored: the watch event of the newer version triggers the next
   * reconcile.
   */
  async #giveUp(claim: NodeClaim, reason: string): Promise<StepOutcome> {
    await disruptClaim(this.#context, claim, { reason });
    return { claim, isGivenUp: true };
  }

  /**
   * Returns the error rather than throw it, so that the condition with its reason is stored before the retry.
   */
  #failed(claim: NodeClaim, error: unknown): StepOutcome {
    this.#attempts.fail(uidOf(claim));
    const text = error instanceof Error ? error.message : String(error);
    this.#decisions.failed(claim, text);
    return {
      claim: withUnknown(claim, launched, failureReason(error, text), this.#context.clock.now()),
      error: new CodedError('launch-failed', `launching nodeclaim, ${text}`, { cause: error }),
    };
  }
}

/** A cloud provider may give the condition's reason and message, as Karpenter's CreateError does. */
function failureReason(error: unknown, text: string): ReasonAndMessage {
  if (!isLaunchFailed(error)) return { ...launchReasons.launchFailed, message: quotedError(text) };
  const { reason, conditionMessage } = error.details;
  return {
    reason: String(reason ?? launchReasons.launchFailed.reason),
    message: String(conditionMessage ?? quotedError(text)),
  };
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
