import {
  labelKeys,
  type NodeClaim,
  nodeClaimConditions,
  nodeMetrics,
  terminationReasons,
  terminationTuning,
  timestampMs,
} from '@karpenter/core/api';
import { conditionOf, isTrue, withTrue, withUnknown } from '@karpenter/core/lifecycle';
import { drain } from '@karpenter/core/termination';
import { durationMs } from '@karpenter/core/values';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { type BlockingPdbs, type Evictions, failedDrainingEvent } from '../eviction-queue/index.ts';
import type { CachedNode, PodsOnNodes } from '../instances/index.ts';
import { storeConditions } from './claim-conditions.ts';
import type { StepResult, TerminatingNode, TerminationStep } from './termination-step.ts';

export interface DrainingContext extends Pick<ControllerContext, 'client' | 'recorder' | 'meters' | 'clock'> {
  readonly pods: PodsOnNodes;
  readonly budgets: BlockingPdbs;
  readonly evictions: Evictions;
}

const { drained } = nodeClaimConditions;
const poll: ReconcileResult = { requeueAfter: terminationTuning.drainPoll };

/**
 * Evicts the pods of a Node and waits until they are gone. As in Karpenter pods are evicted in groups, one
 * after the other: workloads before daemons, and critical pods after all others. Pods whose deadline is
 * reached do not wait.
 */
export class Draining implements TerminationStep {
  readonly #context: DrainingContext;

  constructor(context: DrainingContext) {
    this.#context = context;
  }

  async run({ node, claim, deadline }: TerminatingNode): Promise<StepResult> {
    const { clock, evictions, pods, budgets, recorder } = this.#context;
    const nodeName = node.metadata.name;
    const found = pods.on(nodeName);
    const { waiting, next } = drain({ pods: found, at: clock.now(), deadline });
    // Every poll adds them again: the eviction queue is in memory, so that also fills it after a restart.
    for (const pod of next) evictions.add(pod, { nodeName, deadline });
    if (waiting === 0) return this.#finish(node, claim);
    recorder.publish(
      failedDrainingEvent(node, `${waiting} pods are waiting to be evicted${budgets.ofPods(found)}`),
    );
    // A conflict is ignored: the Node waits in any case, and the next poll sets the condition.
    if (claim !== undefined) await storeConditions(this.#context, claim, this.#withDraining(claim));
    return { wait: poll };
  }

  /**
   * Sets Drained, but at least five seconds after the drain has started: pods that were bound just before the
   * taint may not be in the cache yet.
   */
  async #finish(node: CachedNode, claim: NodeClaim | undefined): Promise<StepResult> {
    // As in Karpenter a Node without a claim does not wait: the start of the drain is recorded on the claim
    // only.
    if (claim === undefined || isTrue(claim, drained)) return { claim };
    const draining = await storeConditions(this.#context, claim, this.#withDraining(claim));
    if (draining === undefined) return { wait: poll };
    const now = this.#context.clock.now();
    const since = timestampMs(conditionOf(draining, drained)?.lastTransitionTime) ?? now;
    const left = since + terminationTuning.minDrainTime - now;
    if (left > 0) return { wait: { requeueAfter: durationMs(left) } };
    const done = await storeConditions(this.#context, draining, withTrue(draining, drained, now));
    if (done === undefined) return { wait: poll };
    const nodepool = node.metadata.labels?.[labelKeys.nodePool] ?? '';
    this.#context.meters.increment(nodeMetrics.drained, { nodepool });
    return { claim: done };
  }

  /** Sets Drained to Unknown, if it is not yet: its transition time is when draining started. */
  #withDraining(claim: NodeClaim): NodeClaim {
    return withUnknown(claim, drained, terminationReasons.draining, this.#context.clock.now());
  }
}
