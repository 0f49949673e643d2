import { labelKeys, type NodePool, nodeClassLabelKey } from '@karpenter/core/api';
import type { InstanceOverhead, InstanceType, Offering } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import type { QuantityTexts, Taint } from '@karpenter/core/values';
import { type ExactAmounts, minus, nothing, parseAmounts, sum } from './amounts.ts';
import { agree, type LabelRules, merge, oneOf, ruleOf } from './label-rule.ts';
import { blockingTaints, type CheckedPodClass, type LabelAliasMap } from './pod-class.ts';

/** A NodePool as the rules see it. */
export interface PoolFacts {
  readonly name: string;
  readonly weight: number;
  readonly taints: readonly Taint[];
  /** Labels of every node of the NodePool. */
  readonly labels: LabelRules;
  /** Requirements of the NodePool. */
  readonly requirements: LabelRules;
  /** Labels and requirements together, with what is true of every node once it has joined. */
  readonly template: LabelRules;
  readonly minValues: ReadonlyMap<string, number>;
  readonly limits: ExactAmounts;
  readonly types: ReadonlyMap<string, TypeFacts>;
  /** Why the NodePool cannot create nodes. */
  readonly unusable: string | undefined;
}

/** An instance type in one NodePool, with the daemon pods that its nodes would run there. */
export interface TypeFacts {
  readonly name: string;
  readonly rules: LabelRules;
  readonly capacity: ExactAmounts;
  readonly offers: readonly OfferFacts[];
  readonly daemons: readonly CheckedPodClass[];
  readonly daemonRequests: ExactAmounts;
}

export interface OfferFacts {
  readonly rules: LabelRules;
  /** Labels of its nodes: those of the offering, else those of its type. */
  readonly nodeRules: LabelRules;
  readonly price: number;
  readonly available: boolean;
  readonly allocatable: ExactAmounts;
  /** The capacity reservation that it uses. */
  readonly reservation: ReservationFacts | undefined;
}

interface ReservationFacts {
  readonly id: string;
  readonly capacity: number;
}

export interface PoolContext {
  readonly aliases: LabelAliasMap;
  readonly wellKnown: ReadonlySet<string>;
  readonly daemons: readonly CheckedPodClass[];
  /** Undefined if reservations are not considered. */
  readonly reservationIdLabel: string | undefined;
}

export function rulesOf(items: readonly RequirementItem[], aliases: LabelAliasMap): LabelRules {
  return merge(...items.map((item) => new Map([[aliases.get(item.key) ?? item.key, ruleOf(item)]])));
}

function labelRules(labels: Readonly<Record<string, string>>): LabelRules {
  return new Map(Object.entries(labels).map(([key, value]) => [key, oneOf([value])]));
}

function overheadOf(overhead: InstanceOverhead): ExactAmounts {
  const { kubeReserved, systemReserved, evictionThreshold } = overhead;
  return sum(...[kubeReserved, systemReserved, evictionThreshold].map(parseAmounts));
}

/** Resources of one offering for pods: its own capacity and overhead, else those of its type. */
function allocatableOf(type: InstanceType, offering: Offering): ExactAmounts {
  const capacity: QuantityTexts = { ...type.capacity, ...offering.capacity };
  return minus(parseAmounts(capacity), overheadOf(offering.overhead ?? type.overhead));
}

/**
 * The NodePool must define every key that a DaemonSet requires, unless instance types define it or its
 * absence is allowed.
 */
export function isDefined(rules: LabelRules, known: LabelRules, wellKnown: ReadonlySet<string>): boolean {
  for (const [key, rule] of rules) {
    if (!rule.absent && !known.has(key) && !wellKnown.has(key)) return false;
  }
  return true;
}

function runsOn(daemon: CheckedPodClass, pool: PoolFacts, type: LabelRules, wellKnown: ReadonlySet<string>) {
  if (blockingTaints(pool.taints, daemon, true).length > 0) return false;
  return daemon.alternatives.some(
    (rules) =>
      isDefined(rules, pool.template, wellKnown) && agree(pool.template, rules) && agree(type, rules),
  );
}

/** An offering that names no reservation has one of its own. */
function reservationOf(offering: Offering, own: string, idLabel: string | undefined) {
  const { reservationCapacity: capacity, requirements } = offering;
  if (capacity === undefined || idLabel === undefined) return undefined;
  return { id: requirements.find(({ key }) => key === idLabel)?.values?.[0] ?? own, capacity };
}

function typeFacts(type: InstanceType, pool: PoolFacts, context: PoolContext): TypeFacts {
  const rules = rulesOf(type.requirements, context.aliases);
  const daemons = context.daemons.filter((daemon) => runsOn(daemon, pool, rules, context.wellKnown));
  const offers = type.offerings.map((offering, index) => ({
    rules: rulesOf(offering.requirements, context.aliases),
    nodeRules: new Map([...rules, ...rulesOf(offering.requirements, context.aliases)]),
    price: offering.price,
    available: offering.available,
    allocatable: allocatableOf(type, offering),
    reservation: reservationOf(offering, `${type.name} ${index}`, context.reservationIdLabel),
  }));
  const daemonRequests = sum(...daemons.map(({ requests }) => requests));
  return { name: type.name, rules, capacity: parseAmounts(type.capacity), offers, daemons, daemonRequests };
}

function unusableBecause(pool: NodePool): string | undefined {
  if (pool.spec.replicas !== undefined) return 'it is static';
  if (pool.metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  const ready = pool.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready !== undefined && ready.status !== 'True' ? 'it is not ready' : undefined;
}

export function poolFacts(pool: NodePool, types: readonly InstanceType[], context: PoolContext): PoolFacts {
  const { metadata, spec: template } = pool.spec.template;
  const name = pool.metadata.name ?? '';
  const labels = labelRules({
    ...metadata?.labels,
    [labelKeys.nodePool]: name,
    [nodeClassLabelKey(template.nodeClassRef)]: template.nodeClassRef.name,
  });
  const requirements = rulesOf(template.requirements, context.aliases);
  const joined = labelRules({ [labelKeys.registered]: 'true', [labelKeys.initialized]: 'true' });
  const minimums = template.requirements.flatMap(({ key, minValues }): [string, number][] =>
    minValues === undefined ? [] : [[key, minValues]],
  );
  const facts: PoolFacts = {
    name,
    weight: pool.spec.weight ?? 0,
    taints: template.taints ?? [],
    labels,
    requirements,
    template: merge(requirements, labels, joined),
    minValues: new Map(minimums),
    limits: pool.spec.limits === undefined ? nothing : parseAmounts(pool.spec.limits),
    types: new Map(),
    unusable: unusableBecause(pool),
  };
  return { ...facts, types: new Map(types.map((type) => [type.name, typeFacts(type, facts, context)])) };
}
