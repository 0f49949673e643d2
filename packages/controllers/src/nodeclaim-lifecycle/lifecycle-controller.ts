import { isDeepStrictEqual } from 'node:util';
import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  terminationFinalizer,
} from '@karpenter/core/api';
import { isManagedClaim, isUnknown, withAllConditions } from '@karpenter/core/lifecycle';
import type { Labels } from '@karpenter/core/values';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { nodeClaims, writeObject, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { ProviderIdIndex } from '../instances/index.ts';
import type { Finalization } from './finalization.ts';
import type { Step, StepOutcome } from './step.ts';

export interface LifecycleParts extends Pick<ControllerContext, 'client' | 'cloud' | 'settings'> {
  readonly index: ProviderIdIndex;
  readonly steps: readonly Step[];
  readonly finalization: Finalization;
}

/**
 * Runs the lifecycle steps of a NodeClaim and stores what they changed; a deleted claim is finalized instead.
 *
 * Writes are guarded by the resource version of the cached claim. A write on a stale claim is refused and
 * dropped, and the watch event of the newer version triggers the next reconcile.
 */
export class LifecycleController implements Controller {
  readonly name = controllerNames.nodeClaimLifecycle;
  readonly kind = nodeClaims;
  readonly concurrency: number;
  readonly backoff = { initial: lifecycleTuning.minBackoff, max: lifecycleTuning.maxBackoff };
  readonly #parts: LifecycleParts;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.concurrency = concurrency(concurrencyRanges.lifecycle, parts.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const { cloud, finalization, index } = this.#parts;
    const claim = index.claims.get({ name });
    if (claim === undefined || !isManagedClaim(claim, cloud.nodeClasses)) return undefined;
    if (claim.metadata.deletionTimestamp !== undefined) return finalization.finalize(claim);
    const launchable = await this.#ensureLaunchable(claim);
    return launchable === undefined ? undefined : this.#advance(launchable);
  }

  /**
   * Adds the finalizer before the first launch, so that the claim cannot be removed while it has an instance, and in
   * the same write the annotations by which another leader can repeat the launch without a second instance (ADR 0036).
   * Undefined when the claim changed meanwhile: another process may have recorded another launch, which must not be
   * overwritten.
   */
  #ensureLaunchable(claim: NodeClaim): Promise<NodeClaim | undefined> {
    const { finalizers = [] } = claim.metadata;
    const annotations = this.#launchAnnotations(claim);
    const isFinalizable = finalizers.includes(terminationFinalizer);
    if (isFinalizable && Object.keys(annotations).length === 0) return Promise.resolve(claim);
    const metadata = {
      finalizers: isFinalizable ? finalizers : [...finalizers, terminationFinalizer],
      annotations,
    };
    return writeObject(this.#parts.client, nodeClaims, claim, { metadata });
  }

  #launchAnnotations(claim: NodeClaim): Labels {
    if (!isUnknown(claim, nodeClaimConditions.launched)) return {};
    return this.#parts.cloud.launchAnnotations?.(claim) ?? {};
  }

  /**
   * Runs the steps, stores the claim once, then runs the `afterStore` callbacks. They run only if the claim
   * was stored: otherwise the next reconcile repeats the steps, and would log and count them twice.
   */
  async #advance(stored: NodeClaim): Promise<ReconcileResult | undefined> {
    const outcomes = await this.#runSteps(stored);
    const last = outcomes.at(-1);
    if (last !== undefined && !last.isGivenUp && (await this.#store(stored, last.claim))) {
      for (const { afterStore } of outcomes) await afterStore?.();
    }
    // After the store, so that a step that fails does not discard the changes of the others.
    throwAll(outcomes);
    return soonest(outcomes);
  }

  /**
   * Runs every step even if one fails: a claim that cannot be launched must still reach its liveness timeout.
   */
  async #runSteps(stored: NodeClaim): Promise<readonly StepOutcome[]> {
    const outcomes: StepOutcome[] = [];
    // Missing conditions are added as of the creation of the claim, from which Liveness counts its timeouts.
    let claim = withAllConditions(stored);
    for (const step of this.#parts.steps) {
      const outcome = await runStep(step, claim);
      outcomes.push(outcome);
      claim = outcome.claim;
      if (outcome.isGivenUp) break;
    }
    return outcomes;
  }

  /**
   * Writes labels and annotations before the status, so that a reader that sees the condition Launched sees the
   * labels too. Returns whether both writes succeeded; false when the claim changed meanwhile.
   */
  async #store(stored: NodeClaim, claim: NodeClaim): Promise<boolean> {
    const { client } = this.#parts;
    const { labels, annotations } = claim.metadata;
    const isSameMetadata =
      isDeepStrictEqual(labels, stored.metadata.labels) &&
      isDeepStrictEqual(annotations, stored.metadata.annotations);
    const written = isSameMetadata
      ? stored
      : await writeObject(client, nodeClaims, stored, { metadata: { labels, annotations } });
    if (written === undefined) return false;
    if (claim.status === undefined || isDeepStrictEqual(claim.status, stored.status)) return true;
    // On `written`: the first write has changed the resource version, so one guarded by `stored` would
    // conflict.
    return (await writeStatus(client, nodeClaims, written, claim.status)) !== undefined;
  }
}

async function runStep(step: Step, claim: NodeClaim): Promise<StepOutcome> {
  try {
    return await step.advance(claim);
  } catch (error) {
    return { claim, error };
  }
}

/** A reconcile with several failures throws all of them, so that the log shows each. */
function throwAll(outcomes: readonly StepOutcome[]): void {
  const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(textOf).join('; '));
}

function soonest(outcomes: readonly StepOutcome[]): ReconcileResult | undefined {
  const waits = outcomes.flatMap(({ requeueAfter }) => (requeueAfter === undefined ? [] : [requeueAfter]));
  const [first] = waits.toSorted((a, b) => a - b);
  return first === undefined ? undefined : { requeueAfter: first };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
