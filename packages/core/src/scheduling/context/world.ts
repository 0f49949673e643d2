import { getCondition, type NodePool } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import {
  coreLabelAliases,
  type LabelKeySet,
  type Requirements,
  Vocabulary,
} from '../../requirements/index.ts';
import { podRequests, type QuantityTexts, resourceTexts, type Taint } from '../../values/index.ts';
import { inSteps } from '../../yielding/index.ts';
import { ClusterDevices } from '../devices/index.ts';
import { type ExistingNode, emptiedNode, existingNodes } from '../existing-nodes/existing-node.ts';
import { type CompiledType, TypeCompiler } from '../instance-types/compiled-type.ts';
import { type NodeTemplate, nodeTemplate } from '../instance-types/node-template.ts';
import { OfferMasks } from '../instance-types/offer-mask.ts';
import type { TypeLabels } from '../instance-types/type-labels.ts';
import { remainingLimits } from '../limits/limits.ts';
import { Reservations } from '../limits/reservations.ts';
import type { PlanOptions, PlanSignal } from '../plan-result.ts';
import { inPlacementOrder, type PodClass, podClasses } from '../pods/pod-class.ts';
import type { NodeView, Snapshot } from '../snapshot.ts';
import { cheapestFirst, type DomainRanking } from '../topology/domain-ranking.ts';
import { Storage } from '../volumes/storage.ts';
import { BoundPods } from './bound-pods.ts';
import { compileDaemons, type Daemon } from './daemon-overhead.ts';
import { remembered } from './remembered.ts';
import { ResourceAxes } from './resource-axes.ts';

/** A snapshot in the terms of one plan: labels interned, amounts as vectors, pods as classes. */
export interface World {
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  readonly wellKnown: LabelKeySet;
  readonly labels: TypeLabels;
  readonly classes: readonly PodClass[];
  readonly sizes: readonly Float64Array[];
  readonly daemons: readonly Daemon[];
  /** As they are filled in this plan. */
  readonly nodes: readonly ExistingNode[];
  /** As they were before it. */
  readonly emptyNodes: readonly ExistingNode[];
  readonly boundPods: BoundPods;
  readonly storage: Storage;
  /** Absent where resource claims are of no concern. */
  readonly devices: ClusterDevices | undefined;
  /** In the order in which pools are tried. */
  readonly templates: readonly NodeTemplate[];
  /** What pools make when these are the nodes that count against their limits. */
  readonly templatesBeside: (
    nodes: readonly NodeView[],
    isWanted?: (nodePool: NodePool) => boolean,
  ) => Generator<void, readonly NodeTemplate[], PlanSignal>;
  readonly reservations: Reservations;
  readonly masksOf: (template: NodeTemplate) => OfferMasks;
  /** Pools and their types, usable or not: domains exist where nodes could be. */
  readonly poolDomainSources: readonly PoolDomainSource[];
  readonly ranking: DomainRanking;
  /** Whether the pods of a pool go to one new node if one can hold them, though several may cost less. */
  readonly packsOnOne: boolean;
  /** Whether machines that take less of limits are tried where those that cost less leave pods without one. */
  readonly isSparing: boolean;
}

export interface PoolDomainSource {
  readonly name: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  readonly types: readonly CompiledType[];
}

/** @param resources that pods may request which are not part of the snapshot yet */
export function* worldSteps(
  snapshot: Snapshot,
  options: PlanOptions,
  resources: Iterable<string> = [],
): Generator<void, World, PlanSignal> {
  const vocabulary = new Vocabulary({
    ...coreLabelAliases,
    keys: new Map([...coreLabelAliases.keys, ...options.labelAliases]),
  });
  const grouped = yield* podClasses(snapshot.pods);
  const axes = new ResourceAxes([...requestedNames(snapshot, grouped), ...resources]);
  const amount = ({ requests }: PodClass, name: string) => axes.amount(name, requests[name] ?? 0);
  const classes = firstOnes(inPlacementOrder(grouped, amount), options.first).map((podClass, index) => ({
    ...podClass,
    index,
  }));
  const sizeOf = remembered((requests: QuantityTexts) => axes.vector(requests));
  const daemons = compileDaemons(vocabulary, axes, snapshot.daemonPods);
  const compiler = new TypeCompiler(vocabulary, axes, options.reservedCapacity?.idLabel);
  const wellKnown = vocabulary.keySet(options.wellKnownLabels);
  const storage = new Storage(snapshot.storage ?? { claims: [], volumes: [], classes: [] });
  const { labels } = compiler;
  const inputs = { vocabulary, axes, wellKnown, daemons, labels, minValuesPolicy: options.minValuesPolicy };
  const compile = (type: InstanceType) => compiler.compile(type);
  const pools: { readonly nodePool: NodePool; readonly types: readonly CompiledType[] }[] = [];
  for (const nodePool of dynamicPools(snapshot.nodePools)) {
    const types = snapshot.instanceTypes.get(nodePool.metadata.name) ?? [];
    pools.push({ nodePool, types: yield* inSteps(types, compile, 'light') });
  }
  const templatesBeside: World['templatesBeside'] = function* (nodes, isWanted = () => true) {
    const made: NodeTemplate[] = [];
    for (const { nodePool, types } of pools) {
      if (!isWanted(nodePool)) continue;
      made.push(yield* nodeTemplate(inputs, nodePool, types, remainingLimits(axes, nodePool, nodes)));
      yield;
    }
    return made;
  };
  const templates = yield* templatesBeside(snapshot.nodes);
  const emptyNodes = yield* existingNodes(
    vocabulary,
    axes,
    snapshot.nodes,
    daemons,
    snapshot.boundPods,
    storage,
  );
  return {
    snapshot,
    options,
    vocabulary,
    axes,
    wellKnown,
    labels,
    classes,
    sizes: classes.map(({ requests }) => sizeOf(requests)),
    daemons,
    nodes: emptyNodes.map(emptiedNode),
    emptyNodes,
    boundPods: new BoundPods(snapshot.boundPods),
    storage,
    devices: devicesOf(snapshot, options, vocabulary),
    ranking: cheapestFirst,
    packsOnOne: false,
    isSparing: false,
    templates: templates.filter(isUsable),
    templatesBeside,
    reservations: Reservations.of(pools.flatMap(({ types }) => types)),
    masksOf: remembered((template) => new OfferMasks(template, labels)),
    poolDomainSources: templates.map(({ name, requirements, taints }, index) => ({
      name,
      requirements,
      taints,
      types: pools[index]?.types ?? [],
    })),
  };
}

function devicesOf(
  { devices, instanceTypes }: Snapshot,
  options: PlanOptions,
  vocabulary: Vocabulary,
): ClusterDevices | undefined {
  if (devices === undefined || options.devices === undefined) return undefined;
  return new ClusterDevices(devices, options.devices, vocabulary, instanceTypes);
}

/** Whether the pool could make a node at all. */
export function isUsable({ types }: NodeTemplate): boolean {
  return types.length > 0;
}

/** The same world as it was before a plan filled its nodes and took its reservations. */
export function renewedWorld(world: World, parts: Partial<Pick<World, 'ranking' | 'isSparing'>> = {}): World {
  const nodes = world.emptyNodes.map(emptiedNode);
  return { ...world, nodes, reservations: world.reservations.renewed(), ...parts };
}

/** Classes with pods that the last plan did not get to go before the others, whatever their size; virtual ones wait. */
function firstOnes(
  classes: readonly PodClass[],
  first: ReadonlySet<string> | undefined,
): readonly PodClass[] {
  if (first === undefined || first.size === 0) return classes;
  const isFirst = ({ pods, isVirtual }: PodClass) =>
    !isVirtual && pods.some(({ metadata }) => first.has(metadata.uid));
  return [...classes.filter(isFirst), ...classes.filter((podClass) => !isFirst(podClass))];
}

/** Heavier pools first; of equal weight, the later name. */
function dynamicPools(pools: readonly NodePool[]): readonly NodePool[] {
  return pools
    .filter(({ spec, metadata }) => spec.replicas === undefined && metadata.deletionTimestamp === undefined)
    .filter(isReady)
    .sort(
      (a, b) => (b.spec.weight ?? 0) - (a.spec.weight ?? 0) || (a.metadata.name < b.metadata.name ? 1 : -1),
    );
}

/** A pool that nobody has judged yet, as in a file, is taken for ready. */
function isReady({ status }: NodePool): boolean {
  const ready = getCondition({ conditions: status?.conditions ?? [] }, 'Ready');
  return ready === undefined || ready.status === 'True';
}

function requestedNames({ daemonPods }: Snapshot, classes: readonly PodClass[]): Set<string> {
  const names = new Set(['cpu', 'memory', 'pods']);
  for (const { requests } of classes) for (const name of Object.keys(requests)) names.add(name);
  for (const pod of daemonPods)
    for (const name of Object.keys(resourceTexts(podRequests(pod)))) names.add(name);
  return names;
}
