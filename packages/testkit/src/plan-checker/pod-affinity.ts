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
  /** All domains that its node may be in; each needs a pod that the term selects. */
  readonly domains: readonly string[];
}

/** Whether the pod's node requirements allow a domain; with several terms, whether all of them do. */
function admits({ alternatives }: CheckedPodClass, key: string, domain: string): boolean {
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
  /** Domains with a selected pod that already runs. */
  readonly before: ReadonlySet<string>;
  /** Domains with a selected pod that does not itself have this term. */
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

/**
 * Admits every pod whose domains all have a selected pod. Each that selects itself makes its domain one more.
 */
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

/**
 * The first pod of a group: it selects itself, its domain is determined, and no selected pod was in any
 * domain that it may use.
 */
function mayStart(
  term: PodTerm,
  { occupant: { pod }, domains }: Follower,
  populated: Iterable<string>,
): boolean {
  if (domains.length !== 1 || !term.selects(pod)) return false;
  return [...populated].every((domain) => !admits(pod, term.key, domain));
}

/**
 * First pods that can have been placed in some order: the last of them could not follow any other. Removing
 * one never makes the rest harder, so finding a possible last one repeatedly is enough.
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

/** Groups by domain the pods that no other pod admits. */
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
 * Every pod with a required affinity is in a domain with a selected pod, whatever domain its node ends up in,
 * or was the first of its group there. Pods without the term may have been placed before or after.
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
