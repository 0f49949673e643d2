import { Requirement, type Requirements } from '../../requirements/index.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PodVariant } from '../pods/pod-variant.ts';
import type { TopologyGroup } from './topology-group.ts';

/** What decides between the domains of one group, for pods of one class on nodes with the same requirements. */
export interface GroupDomains {
  /** Domains that the required constraints of the pod allow. */
  readonly podDomains: Requirement;
  /** Domains that the node may still be in. */
  readonly nodeDomains: Requirement;
  /** Whether the group selects the pod, so that placing it raises a count. */
  readonly isSelected: boolean;
  /** Decides between domains that are equally good for the group: the lower number wins. */
  readonly preference: (domain: string) => number;
}

/** A pod at a step of relaxation, and the node it may go to. */
export interface DomainRequest {
  readonly podClass: PodClass;
  readonly variant: PodVariant;
  readonly node: Requirements;
  readonly preference?: (domain: string) => number;
}

/** Narrows the node to domains that the group allows for the pod; undefined if there are none. */
export function chooseDomains(group: TopologyGroup, request: DomainRequest): Requirement | undefined {
  return chooseFrom(group, domainsOf(group, request));
}

/** The inputs of `chooseFrom` that stay the same while pods are placed; only the counts of the group change. */
export function domainsOf(group: TopologyGroup, request: DomainRequest): GroupDomains {
  return {
    podDomains: request.variant.strict.get(group.key),
    nodeDomains: request.node.get(group.key),
    isSelected: group.selects(request.podClass),
    preference: request.preference ?? (() => 0),
  };
}

/** As `chooseDomains`, with inputs that were computed before. */
export function chooseFrom(group: TopologyGroup, domains: GroupDomains): Requirement | undefined {
  switch (group.kind) {
    case 'topology spread':
      return chooseForSpread(group, domains);
    case 'pod affinity':
      return chooseForAffinity(group, domains);
    case 'pod anti-affinity':
      return chooseForAntiAffinity(group, domains);
  }
}

/** The domain with the fewest pods within maxSkew, as in Karpenter; of several, the preferred one. */
function chooseForSpread(group: TopologyGroup, domains: GroupDomains): Requirement | undefined {
  const { podDomains, nodeDomains, isSelected, preference } = domains;
  const least = smallestCount(group, podDomains);
  let best: string | undefined;
  let bestCount = Number.POSITIVE_INFINITY;
  // As in Karpenter, `podDomains` only decides the minimum. Whether the pod allows the domain itself is
  // checked with the requirements of the node.
  for (const [domain, count] of group.counts) {
    if (count > bestCount || !nodeDomains.has(domain)) continue;
    if (count + Number(isSelected) - least > group.maxSkew) continue;
    if (count === bestCount && best !== undefined && !isBetter(domain, best, preference)) continue;
    best = domain;
    bestCount = count;
  }
  return best === undefined ? undefined : Requirement.is(group.key, best);
}

/**
 * The global minimum of a spread constraint. For hostname it is always zero, because a new node brings a new, empty
 * hostname; so it is with fewer domains than `minDomains`.
 */
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

/** All domains with selected pods. If there are none that the pod allows and it selects itself, it may be the first. */
function chooseForAffinity(group: TopologyGroup, domains: GroupDomains): Requirement | undefined {
  const { podDomains, nodeDomains, isSelected } = domains;
  const populated: string[] = [];
  let canBeFirst = isSelected;
  for (const [domain, count] of group.counts) {
    if (count === 0 || !podDomains.has(domain)) continue;
    canBeFirst = false;
    if (nodeDomains.has(domain)) populated.push(domain);
  }
  if (populated.length > 0) return Requirement.in(group.key, populated);
  return canBeFirst ? firstDomain(group, domains) : undefined;
}

/**
 * One domain, because the first pod decides for all others of the group. As in Karpenter, it may be one that the node
 * cannot have; the caller then finds the node incompatible.
 */
function firstDomain(group: TopologyGroup, { podDomains, nodeDomains, preference }: GroupDomains) {
  const allowed = [...group.counts.keys()].filter((domain) => podDomains.has(domain));
  const onNode = allowed.filter((domain) => nodeDomains.has(domain));
  const [best] = (onNode.length > 0 ? onNode : allowed).sort((a, b) => (isBetter(a, b, preference) ? -1 : 1));
  return best === undefined ? undefined : Requirement.is(group.key, best);
}

/** All empty domains: as in Karpenter, the node is not narrowed to one of them. */
function chooseForAntiAffinity(group: TopologyGroup, domains: GroupDomains): Requirement | undefined {
  const { podDomains, nodeDomains } = domains;
  const free: string[] = [];
  for (const [domain, count] of group.counts) {
    if (count === 0 && podDomains.has(domain) && nodeDomains.has(domain)) free.push(domain);
  }
  return free.length === 0 ? undefined : Requirement.in(group.key, free);
}

/** Ties go by name, so that the plan does not depend on the order in which domains were registered. */
function isBetter(domain: string, than: string, preference: (domain: string) => number): boolean {
  return (
    preference(domain) - preference(than) < 0 || (preference(domain) === preference(than) && domain < than)
  );
}
