import type { LabelKey, Requirements } from '../../requirements/index.ts';
import { endsStep, inSteps, type Steps } from '../../yielding/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { PlanScratch } from '../context/plan-scratch.ts';
import { ClaimedDevices, type DeviceLedger } from '../devices/index.ts';
import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { OfferMasks } from '../instance-types/offer-mask.ts';
import type { CountedNodes, UndecidedNode } from '../limits/counted-nodes.ts';
import type { PodClass } from '../pods/pod-class.ts';
import { type PodVariant, podVariants } from '../pods/pod-variant.ts';
import type { DomainRanking } from '../topology/domain-ranking.ts';
import type { Topology } from '../topology/topology.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import { type VolumesByDriver, volumesByDriver } from '../volumes/volume-limits.ts';
import { volumePlaces } from '../volumes/volume-topology.ts';
import { type NewNodeRequest, NewNodes } from './new-node.ts';
import type { HostGroups } from './placement-item.ts';

/** One step of relaxation of a class of pods: the groups it must satisfy, and its evaluation in each pool. */
export interface PlacementStep {
  /** In the order of relaxation. */
  readonly index: number;
  readonly variant: PodVariant;
  readonly groups: readonly TopologyGroup[];
  /** Groups by hostname of the pods' own constraints; packing satisfies them. */
  readonly hostGroups: HostGroups;
  /** Topology keys of the groups, without hostname. */
  readonly keys: readonly LabelKey[];
  /** In the order of weight; each pool once for each alternative of the volumes. */
  readonly pools: readonly NewNodes[];
  /** Whether the taints and labels of a node allow the pods, which does not change during a plan. */
  readonly suitable: Map<ExistingNode, boolean>;
}

/** A class of pods during placement. */
export interface ClassPlacement {
  readonly podClass: PodClass;
  readonly size: Float64Array;
  /** Alternatives for where its volumes are or may be; a node must satisfy one of them. */
  readonly volumePlaces: readonly Requirements[];
  readonly volumes: VolumesByDriver;
  /** Undefined if the pods have no resource claims. */
  readonly devices: ClaimedDevices | undefined;
  /** Uids of pods that are not placed yet, in reverse order, so that the next is popped. */
  readonly waiting: string[];
  /** Groups that count these pods. */
  readonly selecting: readonly TopologyGroup[];
  /** Inverse groups of the pods' own anti-affinity terms. */
  readonly held: readonly TopologyGroup[];
  /** Whether placing one pod does not change where the next may go: then many are placed at once. */
  readonly isFree: boolean;
  readonly steps: readonly PlacementStep[];
}

/** What the placement of one attempt reads and changes. */
export interface PlacementState {
  readonly context: PlanContext;
  readonly scratch: PlanScratch;
  readonly ranking: DomainRanking;
  readonly topology: Topology;
  readonly masks: readonly OfferMasks[];
  readonly counted: CountedNodes;
  /** Undefined where plans ignore resource claims. */
  readonly devices: DeviceLedger | undefined;
}

/**
 * Creates all topology groups before the first pod is placed, because every placement counts in all of them.
 */
export function* classPlacements(state: PlacementState): Steps<readonly ClassPlacement[]> {
  const { context, topology } = state;
  // Pools that cannot create a node count too: their nodes may be among the existing ones.
  const hasSoftTaints = context.pools.domainSources.some(({ taints }) =>
    taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );
  const options = {
    vocabulary: context.vocabulary,
    ignorePreferences: context.options.preferencePolicy === 'Ignore',
    hasSoftTaints,
  };
  const first = firstOfRules(context.pods.classes);
  const drafts = new Map<PodClass, Draft>();
  for (const podClass of first) {
    const grouped: Grouped[] = [];
    for (const variant of podVariants(podClass.spec, options)) {
      grouped.push({ variant, groups: yield* topology.groupsOf(podClass, variant) });
      yield;
    }
    drafts.set(podClass, { grouped, held: topology.inverseGroupsHeldBy(podClass) });
  }
  // A second pass, because a class may be selected by a group of any other class.
  const models = new Map<number, ClassPlacement>();
  for (const podClass of first)
    models.set(podClass.rules, yield* firstPlacement(state, podClass, drafts.get(podClass)));
  const placements: ClassPlacement[] = [];
  for (const [index, podClass] of context.pods.classes.entries()) {
    const model = models.get(podClass.rules) ?? (yield* firstPlacement(state, podClass));
    placements.push(model.podClass === podClass ? model : placementLike(model, state, podClass));
    if (endsStep(index)) yield;
  }
  return placements;
}

/** The first class of each set of rules. */
function firstOfRules(classes: readonly PodClass[]): readonly PodClass[] {
  const first = new Map<number, PodClass>();
  for (const podClass of classes) if (!first.has(podClass.rules)) first.set(podClass.rules, podClass);
  return [...first.values()];
}

/** What classes with the same rules share, before all groups are known. */
interface Draft {
  readonly grouped: readonly Grouped[];
  readonly held: readonly TopologyGroup[];
}

interface Grouped {
  readonly variant: PodVariant;
  readonly groups: readonly TopologyGroup[];
}

function* firstPlacement(
  state: PlacementState,
  podClass: PodClass,
  { grouped, held }: Draft = { grouped: [], held: [] },
): Steps<ClassPlacement> {
  const { context, topology } = state;
  const { storage } = context.cluster;
  const against = topology.inverseGroupsAgainst(podClass);
  const pods = podClass.pods.slice(0, 1);
  const own = ownParts(state, podClass);
  const places = pods.flatMap((pod) => volumePlaces(context.vocabulary, storage, pod));
  return {
    volumePlaces: places,
    volumes: volumesByDriver(storage, pods),
    selecting: topology.groupsSelecting(podClass),
    held,
    // `selecting` does not matter: counts do not restrict pods that have no group and that no inverse group
    // selects.
    isFree:
      own.devices === undefined && against.length === 0 && grouped.every(({ groups }) => groups.length === 0),
    steps: yield* inSteps(grouped, ({ variant, groups }, index) => ({
      index,
      ...step(state, { podClass, variant }, { places, owned: groups, against }),
    })),
    ...own,
  };
}

/**
 * The placement of pods with the same rules and other requests. Field by field, because there may be one for
 * each pod and copying whole objects takes several times as long.
 */
function placementLike(model: ClassPlacement, state: PlacementState, podClass: PodClass): ClassPlacement {
  const { podClass: own, size, devices, waiting } = ownParts(state, podClass);
  const { volumePlaces: places, volumes, selecting, held, isFree } = model;
  const steps = model.steps.map((each) => stepLike(each, podClass));
  return {
    volumePlaces: places,
    volumes,
    selecting,
    held,
    isFree,
    steps,
    podClass: own,
    size,
    devices,
    waiting,
  };
}

function stepLike(model: PlacementStep, podClass: PodClass): PlacementStep {
  const { index, variant, groups, hostGroups, keys, suitable } = model;
  const pools = model.pools.map((pool) => pool.for(podClass));
  return { index, variant, groups, hostGroups, keys, pools, suitable };
}

function ownParts({ context, devices }: PlacementState, podClass: PodClass) {
  return {
    podClass,
    size: context.pods.sizes[podClass.index] ?? new Float64Array(),
    devices: devices && claimedBy(devices, podClass),
    waiting: podClass.pods.map(({ metadata }) => metadata.uid).reverse(),
  };
}

/** All pods of a class have the same claims, so those of the first are read. */
function claimedBy(ledger: DeviceLedger, { pods }: PodClass): ClaimedDevices | undefined {
  const [first] = pods;
  const claims = first && ledger.cluster.claimsOf(first);
  return claims && new ClaimedDevices(ledger, claims);
}

interface StepConstraints {
  /** Where the volumes are or may be. */
  readonly places: readonly Requirements[];
  /** Groups of the pods' own constraints. */
  readonly owned: readonly TopologyGroup[];
  /** Inverse groups of the anti-affinity terms of other pods. */
  readonly against: readonly TopologyGroup[];
}

function step(
  { context, ranking, topology, masks }: PlacementState,
  request: Pick<NewNodeRequest, 'podClass' | 'variant'>,
  { places, owned, against }: StepConstraints,
): Omit<PlacementStep, 'index'> {
  const groups = [...owned, ...against];
  const pools = context.pools.templates.flatMap((template, index) => {
    const templateMasks = masks[index];
    if (templateMasks === undefined) return [];
    return places.map(
      (volumes) =>
        new NewNodes({ context, ranking, template, masks: templateMasks }, { groups, volumes, ...request }),
    );
  });
  const keys = [...new Set(groups.filter(({ isHostname }) => !isHostname).map(({ key }) => key))];
  const preferred = new Set(topology.preferredAntiAffinityGroups(request.podClass, request.variant));
  const byHost = owned.filter(({ isHostname }) => isHostname);
  const hostGroups = {
    required: byHost.filter((group) => !preferred.has(group)),
    preferred: byHost.filter((group) => preferred.has(group)),
  };
  const { variant } = request;
  return { variant, groups, hostGroups, keys, pools, suitable: new Map() };
}

/** The labels that requirements, volumes and topology of the pods name. */
export function keysNamed(placements: readonly ClassPlacement[]): ReadonlySet<LabelKey> {
  const keys = new Set<LabelKey>();
  // One class for each set of rules is enough: the others share its variants, groups and volumes.
  const byRules = new Map(placements.map((placement) => [placement.podClass.rules, placement]));
  for (const { steps, volumePlaces: places } of byRules.values()) {
    for (const { entries } of places) for (const { key } of entries) keys.add(key);
    for (const { variant, groups } of steps) {
      for (const { key } of variant.requirements.entries) keys.add(key);
      for (const { key } of groups) keys.add(key);
    }
  }
  return keys;
}

export interface CountedPods {
  /** The labels of the node. */
  readonly domains: Requirements;
  /** Negative to take a count back. */
  readonly pods: number;
}

/** Counts pods in their groups after they were placed on a node whose labels may have these values. */
export function recordPlacement(
  placement: ClassPlacement,
  { domains, pods }: CountedPods,
  isCounted: (group: TopologyGroup) => boolean,
): void {
  for (const group of placement.selecting) {
    const found = domains.find(group.key);
    if (found !== undefined && isCounted(group)) group.record(found, pods);
  }
  // Anti-affinity has no node filter, so these groups count pods on every node.
  for (const group of placement.held) {
    const found = domains.find(group.key);
    if (found !== undefined) group.record(found, pods);
  }
}

/** Whether the pods count in groups that constrain pods on other nodes, or that other pods must be placed with. */
export function constrainsOthers({ selecting, held }: ClassPlacement): boolean {
  return [...selecting, ...held].some(({ isHostname, kind }) => !isHostname || kind === 'pod affinity');
}

/** Whether pods count in the same domains of all groups on two nodes, hostname aside. */
export function countAlike(
  counted: CountedNodes,
  { placement, step }: { readonly placement: ClassPlacement; readonly step: PlacementStep },
  nodes: readonly [UndecidedNode, UndecidedNode],
): boolean {
  const { selecting, held } = placement;
  const [first, second] = nodes.map(
    (node) => (group: TopologyGroup) =>
      `${group.countedDomains(node.requirements.get(group.key))}${counted.areCountedBy(group.filter, node)}`,
  );
  return [...selecting, ...held, ...step.groups].every(
    (group) => group.isHostname || first?.(group) === second?.(group),
  );
}
