import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from './context/index.ts';
import { EvictionQueue, evictionQueue } from './eviction-queue/index.ts';
import { nodeHealth } from './node-health/index.ts';
import { nodeHydration } from './node-hydration/index.ts';
import { nodeTermination } from './node-termination/index.ts';
import { nodeClaimConsistency } from './nodeclaim-consistency/index.ts';
import { nodeClaimExpiration } from './nodeclaim-expiration/index.ts';
import { nodeClaimGarbageCollection } from './nodeclaim-garbagecollection/index.ts';
import { nodeClaimHydration } from './nodeclaim-hydration/index.ts';
import { nodeClaimLifecycle } from './nodeclaim-lifecycle/index.ts';
import { nodeClaimPodEvents } from './nodeclaim-podevents/index.ts';
import type { RegistrationHealth } from './registration-health/index.ts';
import { stateNodeClaimCollection } from './state-nodeclaimgc/index.ts';
import { surgeDrain } from './surge-drain/index.ts';

/**
 * The controllers of NodeClaims and Nodes from launch to termination. Node repair needs its feature gate and
 * a cloud provider with repair policies.
 */
export function lifecycleControllers(
  context: ControllerContext,
  health: Pick<RegistrationHealth, 'record'>,
): readonly Runnable[] {
  const { cloud, settings } = context;
  // Shared in memory: node.termination adds pods, the eviction controller evicts them.
  const evictions = new EvictionQueue();
  const repairs = settings.featureGates.NodeRepair && cloud.repairPolicies.length > 0;
  return [
    nodeClaimLifecycle({ ...context, registrationHealth: health }),
    nodeClaimConsistency(context),
    nodeClaimExpiration(context),
    nodeClaimGarbageCollection(context),
    nodeClaimHydration(context),
    nodeClaimPodEvents(context),
    nodeHydration(context),
    nodeTermination({ ...context, evictions }),
    evictionQueue({ ...context, evictions }),
    surgeDrain(context),
    stateNodeClaimCollection(context),
    ...(repairs ? [nodeHealth(context)] : []),
  ];
}
