import type { Requirement } from '../../requirements/index.ts';
import { smallestCount } from './domain-choice.ts';
import type { TopologyGroup } from './topology-group.ts';

/** All domains that a group allows for the next pod, on any node. */
export function validDomains(
  group: TopologyGroup,
  podDomains: Requirement,
  isSelected: boolean,
): readonly string[] {
  const allowed = [...group.counts].filter(([domain]) => podDomains.has(domain));
  switch (group.kind) {
    case 'topology spread': {
      const least = smallestCount(group, podDomains);
      return domains(allowed.filter(([, count]) => count + Number(isSelected) - least <= group.maxSkew));
    }
    case 'pod affinity': {
      const populated = allowed.filter(([, count]) => count > 0);
      return domains(populated.length === 0 && isSelected ? allowed : populated);
    }
    case 'pod anti-affinity':
      return domains(allowed.filter(([, count]) => count === 0));
  }
}

function domains(counts: readonly (readonly [string, number])[]): readonly string[] {
  return counts.map(([domain]) => domain);
}
