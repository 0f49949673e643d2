import { overlayAnnotations } from '@karpenter/core/node-overlays';
import type { PlannedNode, Snapshot } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulation.ts';
import { podNames } from './pod-names.ts';
import { VirtualPods } from './virtual-pods.ts';

/** The plan with names of pods instead of their uids, those of buffers in lists of their own. */
export function namedPlan(simulated: Simulated) {
  const { plan, snapshot } = simulated;
  const names = podNames(simulated);
  const virtual = new VirtualPods(snapshot);
  const named = (uids: readonly string[]) => uids.map((uid) => names.get(uid) ?? uid);
  const parted = (uids: readonly string[]) => {
    const virtualPods = named(virtual.virtual(uids));
    return { pods: named(virtual.real(uids)), ...(virtualPods.length > 0 && { virtualPods }) };
  };
  return {
    newNodes: plan.newNodes.map((node) => ({ ...node, ...parted(node.pods), ...annotated(node, snapshot) })),
    placements: plan.placements.map(({ node, pods }) => ({ node, ...parted(pods) })),
    rejections: plan.rejections.map(({ pod, ...rest }) => ({ pod: names.get(pod) ?? pod, ...rest })),
    deferred: named(plan.deferred),
    unevaluated: named(plan.unevaluated),
  };
}

/** The NodeClaim tells when prices or capacities are not those of the cloud. */
function annotated({ nodePool, instanceTypes }: PlannedNode, snapshot: Snapshot) {
  const names = new Set(instanceTypes);
  const types = (snapshot.instanceTypes.get(nodePool) ?? []).filter(({ name }) => names.has(name));
  const annotations = overlayAnnotations(types);
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
