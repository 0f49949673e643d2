import { type Requirement, requirementText } from '../../requirements/index.ts';
import type { TopologyGroup } from './topology-group.ts';

const mostListed = 25;

/** Karpenter's message, which lacks the closing parenthesis. */
export function topologyErrorText(
  { kind, key, counts }: TopologyGroup,
  podDomains: Requirement,
  nodeDomains: Requirement,
): string {
  const listed = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, count]) => `${domain}: ${count}`);
  const cut = listed.length > mostListed ? ` and ${listed.length - mostListed} other(s)` : '';
  const texts = `${listed.slice(0, mostListed).join(', ')}${cut}`;
  return (
    `unsatisfiable topology constraint for ${kind}, key=${key.name} (counts = ${texts}, ` +
    `podDomains = ${requirementText(podDomains)}, nodeDomains = ${requirementText(nodeDomains)}`
  );
}
