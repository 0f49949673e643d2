import { type Requirement, requirementText } from '../../requirements/index.ts';
import type { TopologyGroup } from './topology-group.ts';

const maxListed = 25;

/** Karpenter's message, which lacks the closing parenthesis. */
export function topologyErrorText(
  { kind, key, counts }: TopologyGroup,
  podDomains: Requirement,
  nodeDomains: Requirement,
): string {
  const listed = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, count]) => `${domain}: ${count}`);
  const cut = listed.length > maxListed ? ` and ${listed.length - maxListed} other(s)` : '';
  const texts = `${listed.slice(0, maxListed).join(', ')}${cut}`;
  return (
    `unsatisfiable topology constraint for ${kind}, key=${key.name} (counts = ${texts}, ` +
    `podDomains = ${requirementText(podDomains)}, nodeDomains = ${requirementText(nodeDomains)}`
  );
}
