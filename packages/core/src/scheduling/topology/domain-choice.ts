import { Requirement, type Requirements } from '../../requirements/index.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PodVariant } from '../pods/pod-variant.ts';
import type { TopologyGroup } from './topology-group.ts';

interface DomainQuestion {
  /** What the pod itself allows. */
  readonly podDomains: Requirement;
  /** What the node still allows. */
  readonly nodeDomains: Requirement;
  /** Whether the pod counts in the group. */
  readonly isSelected: boolean;
  /** Of domains that are equally good, the one with the lower number is taken. */
  readonly preference: (domain: string) => number;
}

/** A pod at some step of relaxing, and what is known of the node it might go to. */
export interface DomainAsker {
  readonly podClass: PodClass;
  readonly variant: PodVariant;
  readonly node: Requirements;
  readonly preference?: (domain: string) => number;
}

/** The domains of the node that the group leaves for the pod; undefined if there are none. */
export function chooseDomains(group: TopologyGroup, asker: DomainAsker): Requirement | undefined {
  const question: DomainQuestion = {
    podDomains: asker.variant.strict.get(group.key),
    nodeDomains: asker.node.get(group.key),
    isSelected: group.selects(asker.podClass),
    preference: asker.preference ?? (() => 0),
  };
  switch (group.kind) {
    case 'topology spread':
      return chooseForSpread(group, question);
    case 'pod affinity':
      return chooseForAffinity(group, question);
    case 'pod anti-affinity':
      return chooseForAntiAffinity(group, question);
  }
}

function chooseForSpread(group: TopologyGroup, question: DomainQuestion): Requirement | undefined {
  const { podDomains, nodeDomains, isSelected, preference } = question;
  const least = smallestCount(group, podDomains);
  let best: string | undefined;
  let bestCount = Number.POSITIVE_INFINITY;
  for (const [domain, count] of group.counts) {
    if (count > bestCount || !nodeDomains.has(domain)) continue;
    if (count + Number(isSelected) - least > group.maxSkew) continue;
    if (count === bestCount && best !== undefined && !isBetter(domain, best, preference)) continue;
    best = domain;
    bestCount = count;
  }
  return best === undefined ? undefined : Requirement.is(group.key, best);
}

/** New nodes can always bring new host names, so among those the smallest count is always zero. */
export function smallestCount(
  { counts, isHostname, minDomains }: TopologyGroup,
  podDomains: Requirement,
): number {
  if (isHostname) return 0;
  let least = Number.POSITIVE_INFINITY;
  let allowed = 0;
  for (const [domain, count] of counts) {
    if (!podDomains.has(domain)) continue;
    allowed++;
    least = Math.min(least, count);
  }
  return allowed === 0 || (minDomains !== undefined && allowed < minDomains) ? 0 : least;
}

function chooseForAffinity(group: TopologyGroup, question: DomainQuestion): Requirement | undefined {
  const { podDomains, nodeDomains, isSelected } = question;
  const populated: string[] = [];
  let canBeFirst = isSelected;
  for (const [domain, count] of group.counts) {
    if (count === 0 || !podDomains.has(domain)) continue;
    canBeFirst = false;
    if (nodeDomains.has(domain)) populated.push(domain);
  }
  if (populated.length > 0) return Requirement.in(group.key, populated);
  return canBeFirst ? firstDomain(group, question) : undefined;
}

/** The first of its kind settles the domain for all others. */
function firstDomain(group: TopologyGroup, { podDomains, nodeDomains, preference }: DomainQuestion) {
  const allowed = [...group.counts.keys()].filter((domain) => podDomains.has(domain));
  const onNode = allowed.filter((domain) => nodeDomains.has(domain));
  const [best] = (onNode.length > 0 ? onNode : allowed).sort((a, b) => (isBetter(a, b, preference) ? -1 : 1));
  return best === undefined ? undefined : Requirement.is(group.key, best);
}

function chooseForAntiAffinity(group: TopologyGroup, question: DomainQuestion): Requirement | undefined {
  const { podDomains, nodeDomains } = question;
  const free: string[] = [];
  for (const [domain, count] of group.counts) {
    if (count === 0 && podDomains.has(domain) && nodeDomains.has(domain)) free.push(domain);
  }
  return free.length === 0 ? undefined : Requirement.in(group.key, free);
}

function isBetter(domain: string, than: string, preference: (domain: string) => number): boolean {
  return (
    preference(domain) - preference(than) < 0 || (preference(domain) === preference(than) && domain < than)
  );
}
