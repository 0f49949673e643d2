import { labelKeys, type NodePool, nodeClassLabelKey } from '../../api/index.ts';
import { checkMinValues, type LabelKeySet, Requirements, type Vocabulary } from '../../requirements/index.ts';
import { type HostPort, memoized, type Taint } from '../../values/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { type Daemon, daemonRunsOn, daemonTolerates } from '../context/daemon-overhead.ts';
import { addTo, type ResourceAxes } from '../context/resource-axes.ts';
import { ascendingOrder } from '../context/sorted-order.ts';
import { takenOfLimit } from '../limits/limits.ts';
import type { PlanOptions } from '../plan-result.ts';
import { type BurstStep, BurstSteps } from './burst-steps.ts';
import type { CompiledOffering, CompiledType } from './compiled-type.ts';
import { overheadPriceOf } from './node-overhead.ts';
import { OfferKinds } from './offer-kinds.ts';
import { OfferRanking } from './offer-ranking.ts';
import type { TypeLabels } from './type-labels.ts';

/**
 * The NodeClaim template of a NodePool, with everything it can launch: a planned node before any pod is on
 * it.
 */
export interface NodeTemplate {
  readonly nodePool: NodePool;
  readonly name: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /**
   * Types that the pool allows, each with its daemon overhead. Empty if they do not satisfy its `minValues`.
   */
  readonly types: readonly TemplateType[];
  /**
   * The available offerings of those types within the limits, by `TemplateOffer.price`, then by name of the type;
   * several for each offering of a burstable type.
   */
  readonly offers: readonly TemplateOffer[];
  readonly kinds: OfferKinds;
  readonly ranking: OfferRanking;
  /** Offers that launch from a capacity reservation. */
  readonly reservedOffers: readonly TemplateOffer[];
  /** What nodes leave of the limits, by resource; undefined without limits. */
  readonly remaining: ReadonlyMap<string, number> | undefined;
}

export interface TemplateType extends DaemonGroup {
  readonly index: number;
  readonly type: CompiledType;
  /** What an instance takes of each limit, in the order of `remaining`; empty without limits. */
  readonly limitUsage: Float64Array;
  /**
   * Whether one instance exceeds what is left of a limit, in which case Karpenter excludes the type, or has a
   * part of a limited device that nothing would count.
   */
  readonly exceedsLimits: boolean;
}

export interface TemplateOffer {
  readonly index: number;
  readonly of: TemplateType;
  readonly offering: CompiledOffering;
  /** Allocatable less daemon overhead. */
  readonly room: Float64Array;
  /**
   * What a node costs, with all that it costs besides its instance. Decides between nodes; reports use the
   * price of the offering.
   */
  readonly price: number;
  /** As `TemplateType.limitUsage`. */
  readonly limitUsage: Float64Array;
}

export interface TemplateInputs {
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  readonly wellKnown: LabelKeySet;
  readonly daemons: readonly Daemon[];
  readonly options: PlanOptions;
  readonly labels: TypeLabels;
}

/** One NodePool, with the instance types of its NodeClass. */
interface PoolInputs extends Pick<NodeTemplate, 'nodePool' | 'remaining'> {
  readonly types: readonly CompiledType[];
}

/** Yields in between, because a pool may have thousands of offers. */
export function* nodeTemplate(
  inputs: TemplateInputs,
  { nodePool, types, remaining }: PoolInputs,
): Steps<NodeTemplate> {
  const requirements = templateRequirements(inputs.vocabulary, nodePool);
  const taints = nodePool.spec.template.spec.taints ?? [];
  const usable = usableTypes(inputs, requirements, types);
  yield;
  const runners = inputs.daemons.filter((daemon) => daemonTolerates(daemon, taints));
  const shared = new Map<string, DaemonGroup>();
  const templateTypes = usable.map((type, index) =>
    templateType(inputs, { requirements, runners, shared, remaining }, { type, index }),
  );
  yield;
  const offers = offersOf(requirements, templateTypes, {
    overheadPrice: overheadPriceOf(nodePool, inputs.options),
    burstSteps: new BurstSteps(inputs.axes),
  });
  yield;
  const kinds = new OfferKinds(templateTypes, offers, inputs.labels);
  return {
    nodePool,
    name: nodePool.metadata.name,
    requirements,
    taints,
    types: templateTypes,
    offers,
    kinds,
    ranking: new OfferRanking(
      { offers, types: templateTypes },
      kinds,
      inputs.vocabulary.key(labelKeys.capacityType),
    ),
    reservedOffers: usable.some(({ isReserved }) => isReserved)
      ? offers.filter(({ offering }) => offering.reservation !== undefined)
      : [],
    remaining,
  };
}

/**
 * Requirements and labels of the template, with two labels that nodes get later. As in Karpenter those exist
 * only in plans, so that DaemonSets which select them count as daemon overhead.
 */
export function templateRequirements(vocabulary: Vocabulary, nodePool: NodePool): Requirements {
  const { metadata, spec } = nodePool.spec.template;
  const labels = {
    ...metadata?.labels,
    [labelKeys.nodePool]: nodePool.metadata.name,
    [nodeClassLabelKey(spec.nodeClassRef)]: spec.nodeClassRef.name,
    [labelKeys.registered]: 'true',
    [labelKeys.initialized]: 'true',
  };
  return Requirements.fromItems(
    vocabulary,
    spec.requirements,
    `nodepool ${nodePool.metadata.name} requirements`,
  ).and(Requirements.fromLabels(vocabulary, labels));
}

function usableTypes(
  { options, labels }: TemplateInputs,
  requirements: Requirements,
  types: readonly CompiledType[],
): readonly CompiledType[] {
  const meeting = labels.meeting(
    Uint32Array.from(types, ({ row }) => row),
    requirements,
  );
  const isOffered = memoized((offered: Requirements) => requirements.intersects(offered));
  const usable: CompiledType[] = [];
  for (let i = 0; i < types.length; i++) {
    const type = types[i];
    if (type !== undefined && meeting[i] === 1 && isAvailable(type, isOffered)) usable.push(type);
  }
  if (requirements.entries.every(({ minValues }) => minValues === undefined)) return usable;
  const { shortfalls } = checkMinValues(
    requirements,
    usable.map((type) => type.requirements),
  );
  return shortfalls.length > 0 && options.minValuesPolicy === 'Strict' ? [] : usable;
}

function isAvailable({ offerings }: CompiledType, isOffered: (offered: Requirements) => boolean): boolean {
  return offerings.some(({ available, requirements }) => available && isOffered(requirements));
}

/** The daemons that run on a type. Most types share one group, so that its overhead is summed up once. */
interface DaemonGroup {
  readonly daemons: readonly Daemon[];
  readonly daemonSize: Float64Array;
  readonly daemonPorts: readonly HostPort[];
}

interface Daemons {
  readonly runners: readonly Daemon[];
  readonly shared: Map<string, DaemonGroup>;
}

interface TypeInputs extends Daemons, Pick<NodeTemplate, 'requirements' | 'remaining'> {}

function templateType(
  { axes, wellKnown }: TemplateInputs,
  { requirements, remaining, ...daemons }: TypeInputs,
  { type, index }: Pick<TemplateType, 'type' | 'index'>,
): TemplateType {
  const isCompatible = (required: Requirements) => requirements.compatible(required, wellKnown);
  const {
    daemons: running,
    daemonSize,
    daemonPorts,
  } = daemonGroup(axes, daemons, (daemon) => daemonRunsOn(daemon, isCompatible, type));
  const limitUsage = remaining === undefined ? nothing : limitUsageOf(axes, type, remaining);
  const exceedsLimits =
    remaining !== undefined && (isBeyond(limitUsage, remaining) || evades(type, remaining));
  return { type, index, daemons: running, daemonSize, daemonPorts, limitUsage, exceedsLimits };
}

const nothing = new Float64Array(0);

function limitUsageOf(
  axes: ResourceAxes,
  { capacity }: CompiledType,
  remaining: ReadonlyMap<string, number>,
): Float64Array {
  return Float64Array.from(remaining.keys(), (name) => takenOfLimit(axes, capacity, name));
}

function isBeyond(limitUsage: Float64Array, remaining: ReadonlyMap<string, number>): boolean {
  return [...remaining.values()].some((left, axis) => (limitUsage[axis] ?? 0) > left);
}

/** Whether nodes of the type have a part of a limited device that no limit would ever count. */
function evades(type: CompiledType, remaining: ReadonlyMap<string, number>): boolean {
  return evadedLimits(type, remaining).length > 0;
}

/** The limited devices of which nodes of the type have a part that no limit would ever count. */
export function evadedLimits(
  { uncountedDevices }: CompiledType,
  remaining: ReadonlyMap<string, number>,
): readonly string[] {
  return uncountedDevices.filter((name) => remaining.has(name));
}

function daemonGroup(
  axes: ResourceAxes,
  { runners, shared }: Daemons,
  runs: (daemon: Daemon) => boolean,
): DaemonGroup {
  const running = runners.map(runs);
  const name = runners.length === 0 ? '' : running.join();
  const known = shared.get(name);
  if (known !== undefined) return known;
  const daemons = runners.filter((_, index) => running[index]);
  const daemonSize = axes.vector(undefined);
  for (const { size } of daemons) addTo(daemonSize, size);
  const made = { daemons, daemonSize, daemonPorts: daemons.flatMap(({ hostPorts }) => hostPorts) };
  shared.set(name, made);
  return made;
}

interface NodePrices {
  /** What a node of the type costs besides its instance. */
  readonly overheadPrice: (type: CompiledType) => number;
  readonly burstSteps: BurstSteps;
}

/** Offers before they are in the order of prices, field by field, which takes less time than an object each. */
interface UnorderedOffers {
  readonly of: TemplateType[];
  readonly offering: CompiledOffering[];
  readonly step: BurstStep[];
  readonly price: number[];
}

/**
 * Offers are listed by name of their type first, because the stable sort by price keeps that order for equal
 * prices.
 */
function offersOf(
  requirements: Requirements,
  types: readonly TemplateType[],
  { overheadPrice, burstSteps }: NodePrices,
): readonly TemplateOffer[] {
  const isOffered = memoized((offered: Requirements) => requirements.intersects(offered));
  const listed: UnorderedOffers = { of: [], offering: [], step: [], price: [] };
  for (const of of byName(types)) {
    if (of.exceedsLimits) continue;
    const besides = overheadPrice(of.type);
    for (const offering of of.type.offerings) {
      if (!offering.available || !isOffered(offering.requirements)) continue;
      const price = offering.price + besides;
      for (const step of burstSteps.of(offering)) {
        listed.of.push(of);
        listed.offering.push(offering);
        listed.step.push(step);
        listed.price.push(price + step.surplus);
      }
    }
  }
  return inOrder(listed);
}

function inOrder(listed: UnorderedOffers): readonly TemplateOffer[] {
  const order = ascendingOrder(new Float64Array(listed.price));
  const offers: TemplateOffer[] = [];
  const roomOf = rooms();
  for (let index = 0; index < order.length; index++) {
    const at = order[index] ?? 0;
    const of = listed.of[at];
    const offering = listed.offering[at];
    const step = listed.step[at];
    if (of === undefined || offering === undefined || step === undefined) continue;
    const { limitUsage } = of;
    const room = roomOf(step.allocatable, of);
    offers.push({ index, of, offering, room, price: listed.price[at] ?? 0, limitUsage });
  }
  return offers;
}

/**
 * Allocatable less daemon overhead; offers with the same allocatable share one vector, which saves memory and
 * compares fast.
 */
function rooms(): (allocatable: Float64Array, of: TemplateType) => Float64Array {
  // Only offerings of one type share a vector, and a type has one set of daemons, so the vector alone is the
  // key.
  const known = new Map<Float64Array, Float64Array>();
  return (allocatable, { daemons, daemonSize }) => {
    if (daemons.length === 0) return allocatable;
    const made = known.get(allocatable) ?? allocatable.slice();
    if (!known.has(allocatable)) addTo(made, daemonSize, -1);
    known.set(allocatable, made);
    return made;
  };
}

/** Stable, because a pool may have two types of the same name. */
function byName(types: readonly TemplateType[]): readonly TemplateType[] {
  const isSorted = types.every(({ type }, index) => type.name >= (types[index - 1]?.type.name ?? ''));
  if (isSorted) return types;
  return [...types].sort((a, b) => (a.type.name < b.type.name ? -1 : Number(a.type.name > b.type.name)));
}
