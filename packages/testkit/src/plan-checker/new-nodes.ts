import { formatTaint } from '@karpenter/core/values';
import {
  addTo,
  amountText,
  type ExactAmounts,
  leastInAll,
  minus,
  parseAmounts,
  sameAmounts,
  shortage,
  sum,
} from './amounts.ts';
import type { CheckedCluster } from './cluster.ts';
import { checkPorts, firstUid } from './existing-nodes.ts';
import { implies, type LabelRules, ruleText } from './label-rule.ts';
import type { NewLocation, PlacedPod, ReachableType } from './location.ts';
import { blockingTaints, portsConflict } from './pod-class.ts';
import type { Violation } from './violation.ts';

/** A list of this length may have been truncated, and with it the daemon pods needed to know the requests. */
const maxListed = 600;

function checkPool({ name, pool, planned, types }: NewLocation): Violation[] {
  const violations: Violation[] = [];
  if (pool.unusable !== undefined) {
    const detail = `nodepool ${pool.name} may not get node ${name}: ${pool.unusable}`;
    violations.push({ rule: 'unusable-pool', node: name, detail });
  }
  if (types.length === 0) {
    violations.push({ rule: 'offering', node: name, detail: `node ${name} lists no instance type` });
  }
  if (new Set(planned.instanceTypes).size < planned.instanceTypes.length) {
    const detail = `node ${name} lists an instance type twice`;
    violations.push({ rule: 'unknown-instance-type', node: name, detail });
  }
  return violations;
}

/** The first key that a launch could violate: a usable offering has a value that is not required. */
function unmet(rules: LabelRules, location: NewLocation): string | undefined {
  for (const [key, rule] of rules) {
    const values = location.valuesOf(key);
    if (values === undefined ? rule.absent : implies(values, rule)) continue;
    return key;
  }
  return undefined;
}

function checkPoolRequirements(location: NewLocation): Violation[] {
  const { name, pool } = location;
  const key = unmet(pool.requirements, location);
  if (key === undefined) return [];
  const rule = pool.requirements.get(key);
  const asked = rule === undefined ? key : ruleText(key, rule);
  const detail = `node ${name} may come out against what nodepool ${pool.name} requires, ${asked}`;
  return [{ rule: 'pool-requirements', node: name, detail }];
}

/**
 * Custom labels come from the NodePool. Otherwise only another pod that also accepts the label's absence can
 * add one.
 */
function undefinedKey(rules: LabelRules, { pool, placed }: NewLocation, cluster: CheckedCluster) {
  for (const [key, rule] of rules) {
    if (rule.absent || pool.template.has(key) || cluster.options.wellKnownLabels.has(key)) continue;
    const isBroughtUp = placed.some(({ pod }) =>
      pod.alternatives.some((alternative) => alternative.get(key)?.absent === true),
    );
    if (!isBroughtUp) return key;
  }
  return undefined;
}

function checkOccupant(occupant: PlacedPod, location: NewLocation, cluster: CheckedCluster): Violation[] {
  const violations: Violation[] = [];
  const { name, pool } = location;
  const pod = firstUid(occupant);
  const [taint] = blockingTaints(pool.taints, occupant.pod, true);
  if (taint !== undefined) {
    const detail = `pod ${pod} does not tolerate taint ${formatTaint(taint)} of nodepool ${pool.name}`;
    violations.push({ rule: 'taints', pod, node: name, detail });
  }
  const problems = occupant.pod.alternatives.map(
    (rules) => undefinedKey(rules, location, cluster) ?? unmet(rules, location),
  );
  if (problems.every((key) => key !== undefined)) {
    const detail = `node ${name} may come out with a ${problems[0]} that pod ${pod} does not accept`;
    violations.push({ rule: 'requirements', pod, node: name, detail });
  }
  return violations;
}

function podTotal({ placed }: NewLocation): ExactAmounts {
  const total = new Map<string, bigint>();
  for (const { pod, uids } of placed) addTo(total, pod.requests, uids.length);
  return total;
}

/**
 * A node restricted to reservations, or excluded from them, may list types only to satisfy the minimum values
 * of its NodePool.
 */
function isForVariety({ type, offers }: ReachableType, { pool, types }: NewLocation): boolean {
  const isReserved = [...type.offers, ...(types[0]?.offers ?? [])].some(
    ({ reservation }) => reservation !== undefined,
  );
  return offers.length === 0 && isReserved && pool.minValues.size > 0;
}

function checkType(reachable: ReachableType, location: NewLocation, pods: ExactAmounts): Violation[] {
  const { type, offers } = reachable;
  const { name, placed } = location;
  if (isForVariety(reachable, location)) return [];
  if (offers.length === 0) {
    const detail = `no available offering of ${type.name} meets what node ${name} states`;
    return [{ rule: 'offering', node: name, detail }];
  }
  const total = sum(pods, type.daemonRequests);
  const shortages = offers.map(({ allocatable }) => shortage(total, allocatable));
  if (shortages.every((missing) => missing !== undefined)) {
    const missing = shortages[0] ?? '';
    const asked = amountText(total.get(missing) ?? 0n);
    const detail = `${type.name}, which node ${name} lists, has too little ${missing} for the ${asked} of its pods and daemons`;
    return [{ rule: 'resources', node: name, detail }];
  }
  const rival = placed.find(({ pod }) => type.daemons.some((daemon) => portsConflict(pod, daemon)));
  if (rival === undefined) return [];
  const detail = `a daemon on ${type.name}, which node ${name} lists, takes a host port of pod ${firstUid(rival)}`;
  return [{ rule: 'host-ports', pod: firstUid(rival), node: name, detail }];
}

function checkRequests(location: NewLocation, pods: ExactAmounts): Violation[] {
  const { name, planned } = location;
  const types = location.types.filter((reachable) => !isForVariety(reachable, location));
  const stated = parseAmounts(planned.requests);
  const daemons = types.map(({ type }) => type.daemonRequests);
  // It is undefined whether types without daemon pods count, and unknown what a truncated list contained.
  const isOpen = planned.instanceTypes.length >= maxListed || daemons.some(({ size }) => size === 0);
  const least = sum(pods, isOpen ? new Map() : leastInAll(daemons));
  const isRight = isOpen
    ? [...minus(stated, pods).values()].every((left) => left >= 0n) && covers(stated, pods)
    : sameAmounts(stated, least);
  if (isRight) return [];
  const detail = `node ${name} does not state the requests of its pods and daemons together`;
  return [{ rule: 'requests', node: name, detail }];
}

function covers(stated: ExactAmounts, pods: ExactAmounts): boolean {
  return [...pods].every(([resource, nano]) => nano <= (stated.get(resource) ?? 0n));
}

export function checkNewNode(location: NewLocation, cluster: CheckedCluster): Violation[] {
  const pods = podTotal(location);
  return [
    ...checkPool(location),
    ...checkPoolRequirements(location),
    ...location.placed.flatMap((occupant) => checkOccupant(occupant, location, cluster)),
    ...location.types.flatMap((reachable) => checkType(reachable, location, pods)),
    ...checkPorts(location.name, location.placed, []),
    ...checkRequests(location, pods),
  ];
}
