import { stringify } from 'yaml';
import type { Simulated } from '../simulation.ts';
import { podNames } from './pod-names.ts';
import { summary } from './summary.ts';

/** The whole plan as one YAML document; pods by name. */
export function planYaml(simulated: Simulated): string {
  const { source, snapshot, plan } = simulated;
  const { errors: _, ...numbers } = summary(simulated);
  const names = podNames(snapshot);
  const named = (uids: readonly string[]) => uids.map((uid) => names.get(uid) ?? uid);
  const document = {
    source,
    summary: numbers,
    newNodes: plan.newNodes.map((node) => ({ ...node, pods: named(node.pods) })),
    placements: plan.placements.map(({ node, pods }) => ({ node, pods: named(pods) })),
    rejections: plan.rejections.map(({ pod, ...rest }) => ({ pod: names.get(pod) ?? pod, ...rest })),
    unevaluated: named(plan.unevaluated),
  };
  return `---\n${stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}
