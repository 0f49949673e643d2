import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from './context/index.ts';
import { disruption } from './disruption/index.ts';
import { nodeClaimDisruption } from './nodeclaim-disruption/index.ts';

/**
 * The controllers of voluntary disruption: the conditions Drifted and Consolidatable, the loop and its queue.
 */
export function disruptionControllers(context: ControllerContext): readonly Runnable[] {
  return [nodeClaimDisruption(context), ...disruption(context)];
}
