import {
  concurrency,
  concurrencyRanges,
  consistencyReasons,
  controllerNames,
  events,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
} from '@karpenter/core/api';
import { inconsistencies, isManagedClaim, withFalse, withTrue } from '@karpenter/core/lifecycle';
import { durationMs } from '@karpenter/core/values';
import type { Controller, Instant, ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import { nodeClaims, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type CachedNode, type ProviderIdIndex, watchProviderIds } from '../instances/index.ts';

export type ConsistencyContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'recorder' | 'log' | 'clock' | 'settings'
>;

/**
 * Reports nodes with less than 90 % of the capacity that their NodeClaim promises, by condition and event.
 */
export function nodeClaimConsistency(context: ConsistencyContext): Runnable {
  const index = watchProviderIds(context.caches);
  return { controller: new ConsistencyController(context, index), sources: index.claimSources() };
}

class ConsistencyController implements Controller {
  readonly name = controllerNames.nodeClaimConsistency;
  readonly kind = nodeClaims;
  readonly concurrency: number;
  readonly #context: ConsistencyContext;
  readonly #index: ProviderIdIndex;
  /**
   * When each claim is checked next, by uid. Without it every change of the claim or its Node would trigger a
   * check.
   */
  readonly #nextCheck = new Map<string, Instant>();

  constructor(context: ConsistencyContext, index: ProviderIdIndex) {
    this.#context = context;
    this.#index = index;
    this.concurrency = concurrency(concurrencyRanges.other, context.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const claim = this.#index.claims.get({ name });
    if (claim === undefined || !isManagedClaim(claim, this.#context.cloud.nodeClasses)) return undefined;
    const node = this.#index.nodeOf(claim);
    if (node === undefined) return undefined;
    const now = this.#context.clock.now();
    const due = this.#nextCheck.get(uidOf(claim)) ?? now;
    if (now < due) return { requeueAfter: durationMs(due - now) };
    if (await this.#check(claim, node)) this.#scheduleNext(claim);
    return { requeueAfter: lifecycleTuning.consistencyPeriod };
  }

  /**
   * Returns whether the condition is stored; false when the claim changed meanwhile, which triggers a
   * reconcile.
   */
  async #check(claim: NodeClaim, node: CachedNode): Promise<boolean> {
    const { client, clock } = this.#context;
    const issues = inconsistencies(claim, node);
    for (const issue of issues) this.#report(claim, issue);
    const type = nodeClaimConditions.consistentStateFound;
    const checked =
      issues.length === 0
        ? withTrue(claim, type, clock.now())
        : withFalse(claim, type, consistencyReasons.checkFailed, clock.now());
    const conditions = checked.status?.conditions;
    return (await writeStatus(client, nodeClaims, claim, { conditions })) !== undefined;
  }

  #report(claim: NodeClaim, message: string): void {
    const { log, recorder } = this.#context;
    log.info('failed consistency check', { error: message });
    recorder.publish({
      definition: events.failedConsistencyCheck,
      kind: nodeClaims,
      object: claim,
      message,
    });
  }

  /**
   * Schedules the next check in ten minutes, and drops entries whose time is past, such as those of deleted
   * claims.
   */
  #scheduleNext(claim: NodeClaim): void {
    const now = this.#context.clock.now();
    for (const [uid, due] of this.#nextCheck) if (due <= now) this.#nextCheck.delete(uid);
    this.#nextCheck.set(uidOf(claim), now + lifecycleTuning.consistencyPeriod);
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
