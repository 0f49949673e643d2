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
import { type Evictions, failedDrainingEvent } from '../eviction-queue/index.ts';
import type { CachedNode, PodsOnNodes } from '../machines/index.ts';
import { storeProgress } from './claim-progress.ts';
import type { Departing, DepartureStep, Passage } from './departing.ts';

export interface DrainingContext extends Pick<ControllerContext, 'client' | 'recorder' | 'meters' | 'clock'> {
  readonly pods: PodsOnNodes;
  readonly evictions: Evictions;
}

const { drained } = nodeClaimConditions;
const poll: ReconcileResult = { requeueAfter: terminationTuning.drainPoll };

/** Waits until all pods have gone that should, and asks them to. */
export class Draining implements DepartureStep {
  readonly #context: DrainingContext;

  constructor(context: DrainingContext) {
    this.#context = context;
  }

  async pass({ node, claim, deadline }: Departing): Promise<Passage> {
    const { clock, evictions, pods, recorder } = this.#context;
    const nodeName = node.metadata.name;
    const { waiting, next } = drain({ pods: pods.on(nodeName), at: clock.now(), deadline });
    for (const pod of next) evictions.add(pod, { nodeName, deadline });
    if (waiting === 0) return this.#finish(node, claim);
    recorder.publish(failedDrainingEvent(node, `${waiting} pods are waiting to be evicted`));
    if (claim !== undefined) await storeProgress(this.#context, claim, this.#begun(claim));
    return { wait: poll };
  }

  /**
   * For the first seconds an empty node is not believed to be: pods that were bound before the taint may not be known
   * here yet.
   */
  async #finish(node: CachedNode, claim: NodeClaim | undefined): Promise<Passage> {
    if (claim === undefined || isTrue(claim, drained)) return { claim };
    const begun = await storeProgress(this.#context, claim, this.#begun(claim));
    if (begun === undefined) return { wait: poll };
    const now = this.#context.clock.now();
    const since = timestampMs(conditionOf(begun, drained)?.lastTransitionTime) ?? now;
    const left = since + terminationTuning.minDrainTime - now;
    if (left > 0) return { wait: { requeueAfter: durationMs(left) } };
    const done = await storeProgress(this.#context, begun, withTrue(begun, drained, now));
    if (done === undefined) return { wait: poll };
    const nodepool = node.metadata.labels?.[labelKeys.nodePool] ?? '';
    this.#context.meters.increment(nodeMetrics.drained, { nodepool });
    return { claim: done };
  }

  #begun(claim: NodeClaim): NodeClaim {
    return withUnknown(claim, drained, terminationReasons.draining, this.#context.clock.now());
  }
}
