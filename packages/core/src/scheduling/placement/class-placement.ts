import type { LabelKey, Requirements } from '../../requirements/index.ts';
import { inSteps } from '../../yielding/index.ts';
import type { World } from '../context/world.ts';
import { ClaimedDevices, type DeviceLedger } from '../devices/index.ts';
import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { OfferMasks } from '../instance-types/offer-mask.ts';
import type { CountedNodes, UnsettledNode } from '../limits/counted-nodes.ts';
import type { PlanSignal } from '../plan-result.ts';
import type { PodClass } from '../pods/pod-class.ts';
import { type PodVariant, podVariants } from '../pods/pod-variant.ts';
import type { Topology } from '../topology/topology.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import { type VolumesByDriver, volumesByDriver } from '../volumes/volume-limits.ts';
import { volumePlaces } from '../volumes/volume-topology.ts';
import { FreshNodes, type FreshQuestion } from './fresh-node.ts';
import type { HostGroups } from './placement-item.ts';

/** One step of relaxing a class of pods, with the groups it must satisfy and what each pool says to it. */
export interface PlacementStep {
  /** Its place in the order of relaxing. */
  readonly index: number;
  readonly variant: PodVariant;
  readonly groups: readonly TopologyGroup[];
  /** Groups by host name that the pods themselves ask for, which is left to packing. */
  readonly hostGroups: HostGroups;
  /** Keys of the groups, host names aside. */
  readonly keys: readonly LabelKey[];
  /** In the order of weight; each as often as there are places for the volumes. */
  readonly pools: readonly FreshNodes[];
  /** Whether a node could take such pods at all: its taints and labels never change. */
  readonly suitable: Map<ExistingNode, boolean>;
}

/** A class of pods on its way to nodes. */
export interface ClassPlacement {
  readonly podClass: PodClass;
  readonly size: Float64Array;
  /** Where its volumes are or may be: one of these must hold. */
  readonly volumePlaces: readonly Requirements[];
  readonly volumes: VolumesByDriver;
  /** What the pods claim; absent where they claim nothing. */
  readonly devices: ClaimedDevices | undefined;
  /** Uids of pods still to be placed, in reverse order. */
  readonly waiting: string[];
  /** Groups that count these pods. */
  readonly selecting: readonly TopologyGroup[];
  /** Groups of pods that these pods repel. */
  readonly held: readonly TopologyGroup[];
  /** Whether where one pod goes has no bearing on where the next may go. */
  readonly isFree: boolean;
  readonly steps: readonly PlacementStep[];
}

export interface PlacementContext {
  readonly world: World;
  readonly topology: Topology;
  readonly masks: readonly OfferMasks[];
  readonly counted: CountedNodes;
  /** Absent where resource claims are of no concern. */
  readonly devices: DeviceLedger | undefined;
}

/** All groups are made before the first pod is placed, because every placement counts in all of them. */
export function* classPlacements(
  context: PlacementContext,
): Generator<void, readonly ClassPlacement[], PlanSignal> {
  const { world, topology } = context;
  // Pools that can make no node count too: theirs may be among the nodes there are.
  const hasSoftTaints = world.poolDomainSources.some(({ taints }) =>
    taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );
  const options = {
    vocabulary: world.vocabulary,
    ignorePreferences: world.options.preferencePolicy === 'Ignore',
    hasSoftTaints,
  };
  const drafts = new Map<number, Draft>();
  yield* inSteps(world.classes, (podClass) => {
    if (drafts.has(podClass.rules)) return;
    const variants = [...podVariants(podClass.spec, options)];
    const grouped = variants.map((variant) => ({ variant, groups: topology.groupsOf(podClass, variant) }));
    drafts.set(podClass.rules, { grouped, held: topology.inverseGroupsHeldBy(podClass) });
  });
  const models = new Map<number, ClassPlacement>();
  return yield* inSteps(world.classes, (podClass) => {
    const model = models.get(podClass.rules);
    if (model !== undefined) return placementLike(model, context, podClass);
    const made = firstPlacement(context, podClass, drafts.get(podClass.rules));
    models.set(podClass.rules, made);
    return made;
  });
}

/** What is known of all pods with the same rules before all groups are. */
interface Draft {
  readonly grouped: readonly { readonly variant: PodVariant; readonly groups: readonly TopologyGroup[] }[];
  readonly held: readonly TopologyGroup[];
}

function firstPlacement(
  context: PlacementContext,
  podClass: PodClass,
  { grouped, held }: Draft = { grouped: [], held: [] },
): ClassPlacement {
  const { world, topology } = context;
  const against = topology.inverseGroupsAgainst(podClass);
  const pods = podClass.pods.slice(0, 1);
  const own = ownParts(context, podClass);
  const places = pods.flatMap((pod) => volumePlaces(world.vocabulary, world.storage, pod));
  return {
    volumePlaces: places,
    volumes: volumesByDriver(world.storage, pods),
    selecting: topology.groupsSelecting(podClass),
    held,
    isFree:
      own.devices === undefined && against.length === 0 && grouped.every(({ groups }) => groups.length === 0),
    steps: grouped.map(({ variant, groups }, index) => ({
      index,
      ...step(context, { podClass, variant }, places, groups, against),
    })),
    ...own,
  };
}

/** For pods that request another amount under the same rules. */
function placementLike(model: ClassPlacement, context: PlacementContext, podClass: PodClass): ClassPlacement {
  const steps = model.steps.map((each) => ({ ...each, pools: each.pools.map((pool) => pool.for(podClass)) }));
  return { ...model, ...ownParts(context, podClass), steps };
}

function ownParts({ world, devices }: PlacementContext, podClass: PodClass) {
  return {
    podClass,
    size: world.sizes[podClass.index] ?? new Float64Array(),
    devices: devices && claimedBy(devices, podClass),
    waiting: podClass.pods.map(({ metadata }) => metadata.uid).reverse(),
  };
}

/** All pods of a class claim the same, so that the first speaks for all. */
function claimedBy(ledger: DeviceLedger, { pods }: PodClass): ClaimedDevices | undefined {
  const [first] = pods;
  const claims = first && ledger.cluster.claimsOf(first);
  return claims && new ClaimedDevices(ledger, claims);
}

function step(
  { world, topology, masks }: PlacementContext,
  question: Pick<FreshQuestion, 'podClass' | 'variant'>,
  places: readonly Requirements[],
  owned: readonly TopologyGroup[],
  against: readonly TopologyGroup[],
): Omit<PlacementStep, 'index'> {
  const groups = [...owned, ...against];
  const pools = world.templates.flatMap((template, index) => {
    const templateMasks = masks[index];
    if (templateMasks === undefined) return [];
    return places.map(
      (volumes) => new FreshNodes(world, template, templateMasks, { groups, volumes, ...question }),
    );
  });
  const keys = [...new Set(groups.filter(({ isHostname }) => !isHostname).map(({ key }) => key))];
  const wished = new Set(topology.wishedApart(question.podClass, question.variant));
  const byHost = owned.filter(({ isHostname }) => isHostname);
  const hostGroups = {
    required: byHost.filter((group) => !wished.has(group)),
    wished: byHost.filter((group) => wished.has(group)),
  };
  const { variant } = question;
  return { variant, groups, hostGroups, keys, pools, suitable: new Map() };
}

/** The labels that the pods or what they are counted by speak of. */
export function keysNamed(placements: readonly ClassPlacement[]): ReadonlySet<LabelKey> {
  const keys = new Set<LabelKey>();
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

/** Counts pods that went to a node whose labels may have these values. */
export function recordPlacement(
  placement: ClassPlacement,
  domains: Requirements,
  pods: number,
  isCounted: (group: TopologyGroup) => boolean,
): void {
  for (const group of placement.selecting) {
    const found = domains.find(group.key);
    if (found !== undefined && isCounted(group)) group.record(found, pods);
  }
  for (const group of placement.held) {
    const found = domains.find(group.key);
    if (found !== undefined) group.record(found, pods);
  }
}

/** Whether where the pods go bears on where others may go: on other hosts too, or because those must follow. */
export function bearsOnOthers({ selecting, held }: ClassPlacement): boolean {
  return [...selecting, ...held].some(({ isHostname, kind }) => !isHostname || kind === 'pod affinity');
}

/** Whether pods count in all groups alike on two nodes, host names aside. */
export function countAlike(
  { selecting, held }: ClassPlacement,
  { groups }: PlacementStep,
  nodes: readonly [UnsettledNode, UnsettledNode],
  counted: CountedNodes,
): boolean {
  const [first, second] = nodes.map(
    (node) => (group: TopologyGroup) =>
      `${group.recorded(node.requirements.get(group.key))}${counted.areSeenBy(group.filter, node)}`,
  );
  return [...selecting, ...held, ...groups].every(
    (group) => group.isHostname || first?.(group) === second?.(group),
  );
}
