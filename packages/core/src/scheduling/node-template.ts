import { labelKeys, type NodePool, nodeClassLabelKey } from '../api/index.ts';
import { checkMinValues, type LabelKeySet, Requirements, type Vocabulary } from '../requirements/index.ts';
import type { HostPort, Taint } from '../values/index.ts';
import type { CompiledOffering, CompiledType } from './compiled-type.ts';
import { type Daemon, daemonRunsOn, daemonTolerates } from './daemon-overhead.ts';
import { takenOfLimit } from './limits.ts';
import { remembered } from './remembered.ts';
import { addTo, type ResourceAxes } from './resource-axes.ts';

/** What a NodePool makes: the NodeClaim it would ask for before any pod is on it. */
export interface NodeTemplate {
  readonly nodePool: NodePool;
  readonly name: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Types that the pool itself allows, each with what its daemons take. */
  readonly types: readonly TemplateType[];
  /** The available offerings of those types, flat; masks are bit sets over them. */
  readonly offers: readonly TemplateOffer[];
  /** The same, the cheapest first; of equal prices, by name of the type. */
  readonly offersByPrice: readonly TemplateOffer[];
  /** Place of each offer among them. */
  readonly priceRanks: Uint32Array;
  /** Those that draw on a capacity reservation. */
  readonly reservedOffers: readonly TemplateOffer[];
  /** What is left of the limits, by resource; absent without limits. */
  readonly remaining: ReadonlyMap<string, number> | undefined;
}

export interface TemplateType extends DaemonGroup {
  readonly type: CompiledType;
  /** What a machine takes of each limit, in their order; empty without limits. */
  readonly footprint: Float64Array;
  /** Whether the machine would break a limit. */
  readonly exceedsLimits: boolean;
}

export interface TemplateOffer {
  readonly index: number;
  readonly of: TemplateType;
  readonly offering: CompiledOffering;
  /** What is left for pods. */
  readonly room: Float64Array;
}

export interface TemplateInputs {
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  readonly wellKnown: LabelKeySet;
  readonly daemons: readonly Daemon[];
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
}

export function nodeTemplate(
  inputs: TemplateInputs,
  nodePool: NodePool,
  types: readonly CompiledType[],
  remaining: ReadonlyMap<string, number> | undefined,
): NodeTemplate {
  const requirements = templateRequirements(inputs.vocabulary, nodePool);
  const taints = nodePool.spec.template.spec.taints ?? [];
  const usable = usableTypes(inputs, requirements, types);
  const runners = inputs.daemons.filter((daemon) => daemonTolerates(daemon, taints));
  const shared = new Map<string, DaemonGroup>();
  const templateTypes = usable.map((type) =>
    templateType(inputs, requirements, { runners, shared }, type, remaining),
  );
  const offers = offersOf(inputs, requirements, templateTypes);
  const offersByPrice = offers.toSorted(byPrice);
  return {
    nodePool,
    name: nodePool.metadata.name,
    requirements,
    taints,
    types: templateTypes,
    offers,
    offersByPrice,
    priceRanks: ranksOf(offersByPrice),
    reservedOffers: offers.filter(({ offering }) => offering.reservation !== undefined),
    remaining,
  };
}

/** Requirements and labels together, and two labels that nodes will get, for DaemonSets that wait for them. */
function templateRequirements(vocabulary: Vocabulary, nodePool: NodePool): Requirements {
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
  { minValuesPolicy }: TemplateInputs,
  requirements: Requirements,
  types: readonly CompiledType[],
): readonly CompiledType[] {
  const usable = types.filter(
    (type) =>
      type.requirements.intersects(requirements) &&
      type.offerings.some(
        ({ available, requirements: offered }) => available && requirements.intersects(offered),
      ),
  );
  const { shortfalls } = checkMinValues(
    requirements,
    usable.map((type) => type.requirements),
  );
  return shortfalls.length > 0 && minValuesPolicy === 'Strict' ? [] : usable;
}

/** Daemons that run together on some types: most types have the same. */
interface DaemonGroup {
  readonly daemons: readonly Daemon[];
  readonly daemonSize: Float64Array;
  readonly daemonPorts: readonly HostPort[];
}

interface Daemons {
  readonly runners: readonly Daemon[];
  readonly shared: Map<string, DaemonGroup>;
}

function templateType(
  { axes, wellKnown }: TemplateInputs,
  requirements: Requirements,
  daemons: Daemons,
  type: CompiledType,
  remaining: ReadonlyMap<string, number> | undefined,
): TemplateType {
  const isCompatible = (wanted: Requirements) => requirements.compatible(wanted, wellKnown);
  const footprint = Float64Array.from(remaining?.keys() ?? [], (name) =>
    takenOfLimit(axes, type.capacity, name),
  );
  return {
    type,
    ...daemonGroup(axes, daemons, (daemon) => daemonRunsOn(daemon, isCompatible, type)),
    footprint,
    exceedsLimits: [...(remaining?.values() ?? [])].some((left, axis) => (footprint[axis] ?? 0) > left),
  };
}

function daemonGroup(
  axes: ResourceAxes,
  { runners, shared }: Daemons,
  runs: (daemon: Daemon) => boolean,
): DaemonGroup {
  const running = runners.map(runs);
  const known = shared.get(running.join());
  if (known !== undefined) return known;
  const daemons = runners.filter((_, index) => running[index]);
  const daemonSize = axes.vector(undefined);
  for (const { size } of daemons) addTo(daemonSize, size);
  const made = { daemons, daemonSize, daemonPorts: daemons.flatMap(({ hostPorts }) => hostPorts) };
  shared.set(running.join(), made);
  return made;
}

function byPrice(a: TemplateOffer, b: TemplateOffer): number {
  return a.offering.price - b.offering.price || (a.of.type.name < b.of.type.name ? -1 : 1);
}

function ranksOf(sorted: readonly TemplateOffer[]): Uint32Array {
  const ranks = new Uint32Array(sorted.length);
  for (const [rank, { index }] of sorted.entries()) ranks[index] = rank;
  return ranks;
}

function offersOf(
  { axes }: TemplateInputs,
  requirements: Requirements,
  types: readonly TemplateType[],
): readonly TemplateOffer[] {
  const isOffered = remembered((offered: Requirements) => requirements.intersects(offered));
  const offers: TemplateOffer[] = [];
  for (const of of types) {
    if (of.exceedsLimits) continue;
    const roomIn = remembered((allocatable: Float64Array) => roomOf(axes, allocatable, of));
    for (const offering of of.type.offerings) {
      if (!offering.available || !isOffered(offering.requirements)) continue;
      offers.push({ index: offers.length, of, offering, room: roomIn(offering.allocatable) });
    }
  }
  return offers;
}

function roomOf(axes: ResourceAxes, allocatable: Float64Array, { daemonSize }: TemplateType): Float64Array {
  const room = axes.vector(undefined);
  addTo(room, allocatable);
  addTo(room, daemonSize, -1);
  return room;
}
