import { isDeepStrictEqual } from 'node:util';
import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  lifecycleTuning,
  type NodeClaim,
  terminationFinalizer,
} from '@karpenter/core/api';
import { isManagedClaim, withAllConditions } from '@karpenter/core/lifecycle';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { nodeClaims, writeObject, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { MachineIndex } from '../machines/index.ts';
import type { Finalization } from './finalization.ts';
import type { Step, StepOutcome } from './step.ts';

export interface LifecycleParts extends Pick<ControllerContext, 'client' | 'cloud' | 'settings'> {
  readonly machines: MachineIndex;
  readonly steps: readonly Step[];
  readonly finalization: Finalization;
}

/**
 * Brings each claim as far as it gets today: launched, registered, initialized; or, once deleted, to its end. A write
 * is refused where the claim has changed since it was read, so that a cache that is behind does no harm; the change
 * brings the claim back.
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
    const { cloud, finalization, machines } = this.#parts;
    const claim = machines.claims.get({ name });
    if (claim === undefined || !isManagedClaim(claim, cloud.nodeClasses)) return undefined;
    if (claim.metadata.deletionTimestamp !== undefined) return finalization.finalize(claim);
    const held = await this.#hold(claim);
    return held === undefined ? undefined : this.#advance(held);
  }

  /** From here on the claim cannot vanish while it has a machine. */
  #hold(claim: NodeClaim): Promise<NodeClaim | undefined> {
    const { finalizers = [] } = claim.metadata;
    if (finalizers.includes(terminationFinalizer)) return Promise.resolve(claim);
    const metadata = { finalizers: [...finalizers, terminationFinalizer] };
    return writeObject(this.#parts.client, nodeClaims, claim, { metadata });
  }

  async #advance(stored: NodeClaim): Promise<ReconcileResult | undefined> {
    const outcomes = await this.#take(stored);
    const last = outcomes.at(-1);
    if (last !== undefined && !last.isGivenUp && (await this.#store(stored, last.claim))) {
      for (const { announce } of outcomes) await announce?.();
    }
    throwAll(outcomes);
    return soonest(outcomes);
  }

  /** A step that fails does not keep the others from theirs: a claim that cannot be launched still times out. */
  async #take(stored: NodeClaim): Promise<readonly StepOutcome[]> {
    const outcomes: StepOutcome[] = [];
    let claim = withAllConditions(stored);
    for (const step of this.#parts.steps) {
      const outcome = await attempt(step, claim);
      outcomes.push(outcome);
      claim = outcome.claim;
      if (outcome.isGivenUp) break;
    }
    return outcomes;
  }

  /** Labels and annotations first: who sees a claim launched must see them too. */
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
    return (await writeStatus(client, nodeClaims, written, claim.status)) !== undefined;
  }
}

async function attempt(step: Step, claim: NodeClaim): Promise<StepOutcome> {
  try {
    return await step.advance(claim);
  } catch (error) {
    return { claim, error };
  }
}

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
