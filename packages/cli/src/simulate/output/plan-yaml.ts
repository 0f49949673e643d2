import { overlayAnnotations } from '@karpenter/core/node-overlays';
import type { PlannedNode, Snapshot } from '@karpenter/core/scheduling';
import { stringify } from 'yaml';
import type { Simulated } from '../simulation.ts';
import { podNames } from './pod-names.ts';
import { summary } from './summary.ts';
import { VirtualPods } from './virtual-pods.ts';

/** The whole plan as one YAML document; pods by name, those of buffers in lists of their own. */
export function planYaml(simulated: Simulated): string {
  const { source, snapshot, plan } = simulated;
  const { errors: _, ignored, buffers, overlays, ...numbers } = summary(simulated);
  const names = podNames(simulated);
  const virtual = new VirtualPods(snapshot);
  const named = (uids: readonly string[]) => uids.map((uid) => names.get(uid) ?? uid);
  const parted = (uids: readonly string[]) => {
    const virtualPods = named(virtual.virtual(uids));
    return { pods: named(virtual.real(uids)), ...(virtualPods.length > 0 && { virtualPods }) };
  };
  const document = {
    source,
    summary: numbers,
    newNodes: plan.newNodes.map((node) => ({ ...node, ...parted(node.pods), ...annotated(node, snapshot) })),
    placements: plan.placements.map(({ node, pods }) => ({ node, ...parted(pods) })),
    rejections: plan.rejections.map(({ pod, ...rest }) => ({ pod: names.get(pod) ?? pod, ...rest })),
    unevaluated: named(plan.unevaluated),
    ...(ignored !== undefined && { ignored }),
    ...(buffers !== undefined && { buffers }),
    ...(overlays !== undefined && { overlays }),
  };
  return `---\n${stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}

/** The NodeClaim tells when prices or capacities are not those of the cloud. */
function annotated({ nodePool, instanceTypes }: PlannedNode, snapshot: Snapshot) {
  const names = new Set(instanceTypes);
  const types = (snapshot.instanceTypes.get(nodePool) ?? []).filter(({ name }) => names.has(name));
  const annotations = overlayAnnotations(types);
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
