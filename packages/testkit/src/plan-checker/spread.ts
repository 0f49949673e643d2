import type { Domains } from './domains.ts';
import { firstUid } from './existing-nodes.ts';
import type { Location, PlacedPod } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import {
  type CheckedSpreadConstraint,
  countSelected,
  leastCount,
  type SpreadConstraints,
  type SpreadCounts,
} from './spread-constraint.ts';
import type { Violation } from './violation.ts';

/** The plan does not show how far a pod was relaxed, so one legal relaxation is enough. */
interface View {
  readonly constraint: CheckedSpreadConstraint;
  readonly counts: SpreadCounts;
}

interface Owner {
  readonly occupant: PlacedPod;
  readonly location: Location;
}

function ownersByConstraint({ existing, fresh }: PlanFacts, constraints: SpreadConstraints) {
  const byConstraint = new Map<CheckedSpreadConstraint, Owner[]>();
  for (const location of [...existing, ...fresh]) {
    for (const occupant of location.placed) {
      for (const constraint of constraints.of(occupant.pod)) {
        const owners = byConstraint.get(constraint) ?? [];
        owners.push({ occupant, location });
        byConstraint.set(constraint, owners);
      }
    }
  }
  return byConstraint;
}

/**
 * Whether some order makes every owner legal at the time of its placement. Filling the emptiest domain first
 * is the best order, and under it the last owner of a domain meets the final counts: a domain with owners may
 * exceed the final minimum by at most the skew. Pods without the constraint may have been placed before
 * (where they raise the minimum) or after (where they would raise the owner's domain).
 */
function isOverSkew(
  constraint: CheckedSpreadConstraint,
  counts: SpreadCounts,
  owner: Owner,
  domain: string,
): boolean {
  const { bound, owners, others } = counts;
  const ahead = (bound.get(domain) ?? 0) + (owners.get(domain) ?? 0);
  return owner.occupant.pod.alternatives.every(
    (rules) => ahead - leastCount(constraint, rules, [bound, owners, others]) > constraint.maxSkew,
  );
}

export function checkSpread(facts: PlanFacts, constraints: SpreadConstraints, domains: Domains): Violation[] {
  const check = (constraint: CheckedSpreadConstraint, views: readonly View[], owner: Owner): Violation[] => {
    const node = owner.location.name;
    const pod = firstUid(owner.occupant);
    const domain = domains.settled(owner.location, constraint.key, 'reach');
    if (domain === undefined) {
      const detail = `pod ${pod} must be spread over ${constraint.key}, which node ${node} leaves open or does not have`;
      return [{ rule: 'topology-spread', pod, node, detail }];
    }
    if (!views.every((view) => isOverSkew(view.constraint, view.counts, owner, domain))) return [];
    const detail = `pod ${pod} on node ${node} puts ${constraint.key} ${domain} more than ${constraint.maxSkew} ahead of another`;
    return [{ rule: 'topology-spread', pod, node, detail }];
  };
  return [...ownersByConstraint(facts, constraints)].flatMap(([constraint, owners]) => {
    const settled = (location: Location) => domains.settled(location, constraint.key, 'reach');
    const { relaxed = constraint } = constraint;
    const views = [constraint, { ...constraint, ...relaxed }].map((view) => ({
      constraint: view,
      counts: countSelected(constraint, facts, constraints, settled, view),
    }));
    return owners.flatMap((owner) => check(constraint, views, owner));
  });
}
