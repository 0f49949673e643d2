import { shortage, sum } from './amounts.ts';
import type { CheckedCluster } from './cluster.ts';
import { agree, type LabelRule, type LabelRules, merge } from './label-rule.ts';
import { blockingTaints, type CheckedPodClass, portsConflict } from './pod-class.ts';
import { isDefined, type OfferFacts, type PoolFacts, type TypeFacts } from './pool-facts.ts';
import { distinctValues } from './prices.ts';

/** An offering that could take one pod alone, on a new node. */
export interface FreshPlace {
  readonly pool: PoolFacts;
  readonly type: TypeFacts;
  readonly offer: OfferFacts;
  /** Labels of the node. */
  labelRule(key: string): LabelRule | undefined;
}

/** One step of relaxation: the label requirements, and whether soft taints still count. */
export interface NodeDemand {
  readonly rules: LabelRules;
  /** The requirements without preferences. */
  readonly strict: LabelRules;
  readonly ignoreSoft: boolean;
}

function places(pool: PoolFacts, type: TypeFacts, asked: LabelRules, pod: CheckedPodClass): FreshPlace[] {
  if (type.daemons.some((daemon) => portsConflict(pod, daemon))) return [];
  if (!agree(asked, type.rules)) return [];
  const requests = sum(pod.requests, type.daemonRequests);
  const offers = type.offers.filter(
    ({ available, allocatable, nodeRules }) =>
      available && shortage(requests, allocatable) === undefined && agree(asked, nodeRules),
  );
  return offers.map((offer) => ({
    pool,
    type,
    offer,
    labelRule: (key) => merge(...[asked, offer.nodeRules].map((rules) => only(rules, key))).get(key),
  }));
}

function only(rules: LabelRules, key: string): LabelRules {
  const rule = rules.get(key);
  return new Map(rule === undefined ? [] : [[key, rule]]);
}

/** Whether the types of these offerings satisfy the minimum values of the NodePool. */
export function meetsMinValues(
  pool: PoolFacts,
  found: readonly FreshPlace[],
  cluster: CheckedCluster,
): boolean {
  if (cluster.options.minValuesPolicy !== 'Strict') return true;
  const types = [...new Set(found.map(({ type }) => type))].map((type) => ({ type, offers: [] }));
  return [...pool.minValues].every(([key, minimum]) => distinctValues(key, types) >= minimum);
}

function isKnownTo({ template }: PoolFacts, rules: LabelRules, { options }: CheckedCluster): boolean {
  return isDefined(rules, template, options.wellKnownLabels) && agree(template, rules);
}

/** Whether a preference leaves no value of a label that the pod requires. */
function isContradictory({ rules, strict }: NodeDemand): boolean {
  return [...strict].some(([key, rule]) => !rule.absent && isAbsence(rules.get(key)));
}

function isAbsence(rule: LabelRule | undefined): boolean {
  return rule !== undefined && !rule.complement && rule.values.size === 0;
}

/**
 * Every offering of the NodePool that could take the pod alone, regardless of topology; none if they do not
 * satisfy its minimum values. `isWithinLimits` excludes types.
 */
export function freshPlaces(
  pool: PoolFacts,
  pod: CheckedPodClass,
  demand: NodeDemand,
  cluster: CheckedCluster,
  isWithinLimits: (type: TypeFacts) => boolean = () => true,
): readonly FreshPlace[] {
  if (pool.unusable !== undefined) return [];
  if (blockingTaints(pool.taints, pod, demand.ignoreSoft).length > 0) return [];
  if (![demand.rules, demand.strict].every((rules) => isKnownTo(pool, rules, cluster))) return [];
  if (isContradictory(demand)) return [];
  const asked = merge(pool.template, demand.rules);
  const types = [...pool.types.values()].filter(isWithinLimits);
  const found = types.flatMap((type) => places(pool, type, asked, pod));
  return meetsMinValues(pool, found, cluster) ? found : [];
}
