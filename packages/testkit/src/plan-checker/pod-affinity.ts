import { labelKeys } from '@karpenter/core/api';
import type { Domains } from './domains.ts';
import { firstUid } from './existing-nodes.ts';
import { allows } from './label-rule.ts';
import type { Location, PlacedPod } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { type PodTerm, PodTerms } from './pod-selection.ts';
import type { Violation } from './violation.ts';

interface Follower {
  readonly occupant: PlacedPod;
  readonly location: Location;
  /** All domains that its node may be in; each must have a pod to follow. */
  readonly domains: readonly string[];
}

/** Whether the pod's own node requirements let it into a domain; with several terms, whether all of them do. */
export function admits({ alternatives }: CheckedPodClass, key: string, domain: string): boolean {
  if (key === labelKeys.hostname) return true;
  return alternatives.every((rules) => {
    const rule = rules.get(key);
    return rule === undefined || allows(rule, domain);
  });
}

function followersByTerm({ cluster, existing, fresh }: PlanFacts, domains: Domains) {
  const terms = new PodTerms(cluster, 'podAffinity');
  const byTerm = new Map<PodTerm, Follower[]>();
  for (const location of [...existing, ...fresh]) {
    for (const occupant of location.placed) {
      for (const term of terms.of(occupant.pod)) {
        const followers = byTerm.get(term) ?? [];
        followers.push({ occupant, location, domains: domains.ofLocation(location, term.key) });
        byTerm.set(term, followers);
      }
    }
  }
  return byTerm;
}

interface Targets {
  /** Domains with a pod that runs already. */
  readonly before: ReadonlySet<string>;
  /** Domains with any pod to follow that does not itself follow by this term. */
  readonly given: ReadonlySet<string>;
}

function targetsOf(
  term: PodTerm,
  facts: PlanFacts,
  domains: Domains,
  followers: readonly Follower[],
): Targets {
  const following = new Set(followers.map(({ occupant }) => occupant.pod));
  const before = new Set<string>();
  const given = new Set<string>();
  for (const location of [...facts.existing, ...facts.fresh]) {
    const domain = domains.settled(location, term.key, 'reach');
    if (domain === undefined) continue;
    if (location.staying.some(({ pod }) => term.selects(pod))) before.add(domain);
    if (location.placed.some(({ pod }) => term.selects(pod) && !following.has(pod))) given.add(domain);
  }
  return { before, given: new Set([...before, ...given]) };
}

/** Lets every follower in whose domains all have a pod; each that selects itself gives its domain one more. */
function settle(term: PodTerm, waiting: readonly Follower[], populated: Set<string>): Follower[] {
  let left = [...waiting];
  for (let isMoving = true; isMoving; ) {
    const entering = left.filter(
      (follower) => follower.domains.length > 0 && follower.domains.every((domain) => populated.has(domain)),
    );
    isMoving = entering.length > 0;
    const entered = new Set(entering);
    left = left.filter((follower) => !entered.has(follower));
    for (const { occupant, domains } of entering) {
      const [only] = domains;
      if (domains.length === 1 && only !== undefined && term.selects(occupant.pod)) populated.add(only);
    }
  }
  return left;
}

/** The first of its kind: it selects itself, its domain is settled, and no pod was where it could have followed. */
function mayStart(
  term: PodTerm,
  { occupant: { pod }, domains }: Follower,
  populated: Iterable<string>,
): boolean {
  if (domains.length !== 1 || !term.selects(pod)) return false;
  return [...populated].every((domain) => !admits(pod, term.key, domain));
}

/**
 * Starts that can have happened in some order: the last of them must not have been able to follow any other.
 * Taking one away leaves the rest no harder, so looking for a last one again and again is enough.
 */
function unordered(term: PodTerm, starts: ReadonlyMap<string, readonly Follower[]>): Follower[] {
  const left = new Map(starts);
  while (left.size > 1) {
    const last = [...left].find(([domain, followers]) => {
      const others = [...left.keys()].filter((other) => other !== domain);
      return followers.some((follower) => mayStart(term, follower, others));
    });
    if (last === undefined) return [...left.values()].slice(1).flat();
    left.delete(last[0]);
  }
  return [];
}

/** Groups by domain the followers that no other pod lets in. */
function startsOf(term: PodTerm, waiting: readonly Follower[], before: ReadonlySet<string>) {
  const starts = new Map<string, Follower[]>();
  for (const follower of waiting) {
    const [domain] = follower.domains;
    if (domain === undefined || !mayStart(term, follower, before)) continue;
    starts.set(domain, [...(starts.get(domain) ?? []), follower]);
  }
  return starts;
}

function strandedFollowers(term: PodTerm, followers: readonly Follower[], targets: Targets): Follower[] {
  const populated = new Set(targets.given);
  const waiting = settle(term, followers, populated);
  const starts = startsOf(term, waiting, targets.before);
  for (const domain of starts.keys()) populated.add(domain);
  const started = new Set([...starts.values()].flat());
  const rest = waiting.filter((follower) => !started.has(follower));
  return [...settle(term, rest, populated), ...unordered(term, starts)];
}

/**
 * Every pod with a required affinity is where it has a pod to follow, whatever its node turns out to be, or was
 * the first of its kind there. Pods that follow nobody by the same term may have come before or after.
 */
export function checkPodAffinity(facts: PlanFacts, domains: Domains): Violation[] {
  return [...followersByTerm(facts, domains)].flatMap(([term, followers]) => {
    const targets = targetsOf(term, facts, domains, followers);
    return strandedFollowers(term, followers, targets).map(({ occupant, location }): Violation => {
      const pod = firstUid(occupant);
      const detail = `pod ${pod} on node ${location.name} has no pod to follow in every ${term.key} that the node may be in`;
      return { rule: 'pod-affinity', pod, node: location.name, detail };
    });
  });
}
