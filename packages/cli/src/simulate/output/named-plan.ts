import { overlayAnnotations } from '@karpenter/core/node-overlays';
import type { PlannedNode, Rejection, Snapshot } from '@karpenter/core/scheduling';
import type { Labels } from '@karpenter/core/values';
import type { Simulated } from '../simulation.ts';
import { podNames } from './pod-names.ts';
import { VirtualPods } from './virtual-pods.ts';

interface NamedPods {
  readonly pods: readonly string[];
  /** Virtual pods of buffers. */
  readonly virtualPods?: readonly string[];
}

interface NamedPlan {
  readonly newNodes: readonly (PlannedNode & NamedPods & { readonly annotations?: Labels })[];
  readonly placements: readonly (NamedPods & { readonly node: string })[];
  readonly rejections: readonly Rejection[];
  readonly deferred: readonly string[];
  readonly unevaluated: readonly string[];
}

/** The plan with pod names instead of uids. Virtual pods of buffers are listed apart from real ones. */
export function namedPlan(simulated: Simulated): NamedPlan {
  const { plan, snapshot } = simulated;
  const names = podNames(simulated);
  const virtual = new VirtualPods(snapshot);
  const named = (uids: readonly string[]) => uids.map((uid) => names.get(uid) ?? uid);
  const splitPods = (uids: readonly string[]) => {
    const virtualPods = named(virtual.virtual(uids));
    return { pods: named(virtual.real(uids)), ...(virtualPods.length > 0 && { virtualPods }) };
  };
  return {
    newNodes: plan.newNodes.map((node) => ({
      ...node,
      ...splitPods(node.pods),
      ...annotated(node, snapshot),
    })),
    placements: plan.placements.map(({ node, pods }) => ({ node, ...splitPods(pods) })),
    rejections: plan.rejections.map(({ pod, ...rest }) => ({ pod: names.get(pod) ?? pod, ...rest })),
    deferred: named(plan.deferred),
    unevaluated: named(plan.unevaluated),
  };
}

/** The annotations that the NodeClaim will have where an overlay has changed prices or capacities. */
function annotated({ nodePool, instanceTypes }: PlannedNode, snapshot: Snapshot) {
  const names = new Set(instanceTypes);
  const types = (snapshot.instanceTypes.get(nodePool) ?? []).filter(({ name }) => names.has(name));
  const annotations = overlayAnnotations(types);
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
