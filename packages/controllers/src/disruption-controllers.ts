import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from './context/index.ts';
import { disruption } from './disruption/index.ts';
import { nodeClaimDisruption } from './nodeclaim-disruption/index.ts';

/** Everything that takes nodes away by choice. */
export function disruptionControllers(context: ControllerContext): readonly Runnable[] {
  return [nodeClaimDisruption(context), ...disruption(context)];
}
