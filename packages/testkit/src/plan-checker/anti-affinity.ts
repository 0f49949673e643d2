import type { Domains } from './domains.ts';
import { firstUid } from './existing-nodes.ts';
import type { Location, PlacedPod } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import { type PodTerm, PodTerms } from './pod-selection.ts';
import type { Violation } from './violation.ts';

interface Holder {
  readonly occupant: PlacedPod;
  readonly location: Location;
  readonly isPlaced: boolean;
}

/** Number of pods in each domain that an anti-affinity term selects. */
interface Repelled {
  readonly placed: ReadonlyMap<string, number>;
  readonly all: ReadonlyMap<string, number>;
}

function holdersByTerm(locations: readonly Location[], terms: PodTerms): Map<PodTerm, Holder[]> {
  const byTerm = new Map<PodTerm, Holder[]>();
  const add = (location: Location, occupant: PlacedPod, isPlaced: boolean): void => {
    for (const term of terms.of(occupant.pod)) {
      const holders = byTerm.get(term) ?? [];
      holders.push({ occupant, location, isPlaced });
      byTerm.set(term, holders);
    }
  };
  for (const location of locations) {
    for (const occupant of location.placed) add(location, occupant, true);
    for (const occupant of location.bound) add(location, occupant, false);
  }
  return byTerm;
}

function selectedCount(term: PodTerm, occupants: readonly PlacedPod[]): number {
  return occupants.reduce((count, { pod, uids }) => count + (term.selects(pod) ? uids.length : 0), 0);
}

function repelledBy(term: PodTerm, locations: readonly Location[], domains: Domains): Repelled {
  const placed = new Map<string, number>();
  const all = new Map<string, number>();
  for (const location of locations) {
    const coming = selectedCount(term, location.placed);
    const total = coming + selectedCount(term, location.staying);
    if (total === 0) continue;
    for (const domain of domains.ofLocation(location, term.key)) {
      placed.set(domain, (placed.get(domain) ?? 0) + coming);
      all.set(domain, (all.get(domain) ?? 0) + total);
    }
  }
  return { placed, all };
}

/** A pod does not repel itself, and conflicts between running pods are not the fault of the plan. */
function checkHolder(term: PodTerm, holder: Holder, repelled: Repelled, domains: Domains): Violation[] {
  const { occupant, location, isPlaced } = holder;
  const counts = isPlaced ? repelled.all : repelled.placed;
  const self = isPlaced && term.selects(occupant.pod) ? 1 : 0;
  const domain = domains
    .ofLocation(location, term.key)
    .find((candidate) => (counts.get(candidate) ?? 0) > self);
  if (domain === undefined) return [];
  const pod = firstUid(occupant);
  const detail = `pod ${pod} on node ${location.name} repels a pod that may be in the same ${term.key}, ${domain}`;
  return [{ rule: 'pod-anti-affinity', pod, node: location.name, detail }];
}

/** No pod shares a domain with a pod that it repels, in whichever order they were placed. */
export function checkAntiAffinity({ cluster, existing, fresh }: PlanFacts, domains: Domains): Violation[] {
  const locations: readonly Location[] = [...existing, ...fresh];
  const terms = new PodTerms(cluster, 'podAntiAffinity');
  return [...holdersByTerm(locations, terms)].flatMap(([term, holders]) => {
    const repelled = repelledBy(term, locations, domains);
    return holders.flatMap((holder) => checkHolder(term, holder, repelled, domains));
  });
}
