import { getCondition, type NodePool } from '../../api/index.ts';
import { coreLabelAliases, type LabelKeySet, Vocabulary } from '../../requirements/index.ts';
import { memoized, podRequests, type QuantityTexts, resourceTexts } from '../../values/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { ClusterDevices } from '../devices/index.ts';
import { existingNodes } from '../existing-nodes/existing-node.ts';
import type { PlanOptions } from '../plan-result.ts';
import { inPlacementOrder, type PodClass, podClasses } from '../pods/pod-class.ts';
import type { Snapshot } from '../snapshot.ts';
import { Storage } from '../volumes/storage.ts';
import { BoundPodIndex } from './bound-pod-index.ts';
import { compileDaemons } from './daemon-overhead.ts';
import type { PlanCluster } from './plan-cluster.ts';
import { type PlanPools, planPools } from './plan-pools.ts';
import { ResourceAxes } from './resource-axes.ts';

/**
 * The facts of one plan, compiled from its snapshot: labels interned, amounts as vectors, pods as classes.
 * Every attempt at the plan reads the same context, so it is frozen; what an attempt changes is its
 * `PlanScratch`.
 */
export interface PlanContext {
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  /** Labels that a NodePool may leave undefined, because the instance type of the node defines them. */
  readonly wellKnown: LabelKeySet;
  readonly pods: PlanPods;
  readonly cluster: PlanCluster;
  readonly pools: PlanPools;
}

/** The pods to be placed. */
interface PlanPods {
  /** In the order in which they are placed; `PodClass.index` is the index here. */
  readonly classes: readonly PodClass[];
  /** Requests of one pod, by index of its class. */
  readonly sizes: readonly Float64Array[];
}

/** @param resources that pods may request which are not part of the snapshot yet */
export function* planContextSteps(
  snapshot: Snapshot,
  options: PlanOptions,
  resources: Iterable<string> = [],
): Steps<PlanContext> {
  const vocabulary = new Vocabulary({
    ...coreLabelAliases,
    keys: new Map([...coreLabelAliases.keys, ...options.labelAliases]),
  });
  const boundPods = yield* BoundPodIndex.of(snapshot.boundPods);
  const grouped = yield* podClasses(snapshot.pods, boundPods.withAntiAffinity);
  const axes = resourceAxes(snapshot, new Set([...requestedNames(snapshot, grouped), ...resources]));
  const daemons = compileDaemons(vocabulary, axes, snapshot.daemonPods);
  const wellKnown = vocabulary.keySet(options.wellKnownLabels);
  const storage = new Storage(snapshot.storage ?? { claims: [], volumes: [], classes: [] });
  const pools = yield* planPools(
    { vocabulary, axes, wellKnown, daemons, options },
    { ...snapshot, nodePools: dynamicPools(snapshot.nodePools) },
  );
  const nodes = yield* existingNodes({ vocabulary, axes, daemons, storage }, snapshot);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return Object.freeze({
    snapshot,
    options,
    vocabulary,
    axes,
    wellKnown,
    pods: planPods(axes, grouped, options.first),
    cluster: Object.freeze({
      nodes,
      nodeNamed: (name: string) => byName.get(name),
      boundPods,
      storage,
      devices: devicesOf(snapshot, options, vocabulary),
    }),
    pools,
  });
}

function planPods(
  axes: ResourceAxes,
  grouped: readonly PodClass[],
  first: ReadonlySet<string> | undefined,
): PlanPods {
  const sizeOf = memoized((requests: QuantityTexts) => axes.vector(requests));
  const amount = ({ requests }: PodClass, name: string) => axes.amount(name, requests[name] ?? 0);
  const ordered = unevaluatedFirst(inPlacementOrder(grouped, amount), first);
  const classes = ordered.map((podClass, index) => ({ ...podClass, index }));
  return Object.freeze({ classes, sizes: classes.map(({ requests }) => sizeOf(requests)) });
}

function devicesOf(
  { devices, instanceTypes }: Snapshot,
  options: PlanOptions,
  vocabulary: Vocabulary,
): ClusterDevices | undefined {
  if (devices === undefined || options.devices === undefined) return undefined;
  return new ClusterDevices(devices, { port: options.devices, vocabulary, instanceTypes });
}

/**
 * Classes with pods that the last plan did not get to go before the others, whatever their size: otherwise a
 * plan that is always stopped early would never get to small pods. Virtual pods still wait for all others.
 */
function unevaluatedFirst(
  classes: readonly PodClass[],
  first: ReadonlySet<string> | undefined,
): readonly PodClass[] {
  if (first === undefined || first.size === 0) return classes;
  const isFirst = ({ pods, isVirtual }: PodClass) =>
    !isVirtual && pods.some(({ metadata }) => first.has(metadata.uid));
  return [...classes.filter(isFirst), ...classes.filter((podClass) => !isFirst(podClass))];
}

/**
 * The NodePools that may create nodes for pods, by falling weight; of equal weight the later name comes
 * first, as in Karpenter. Static pools keep their replicas whatever pods there are.
 */
function dynamicPools(pools: readonly NodePool[]): readonly NodePool[] {
  return pools
    .filter(({ spec, metadata }) => spec.replicas === undefined && metadata.deletionTimestamp === undefined)
    .filter(isReady)
    .sort(
      (a, b) => (b.spec.weight ?? 0) - (a.spec.weight ?? 0) || (a.metadata.name < b.metadata.name ? 1 : -1),
    );
}

/** A pool without the condition, such as one from a file, counts as ready. */
function isReady({ status }: NodePool): boolean {
  const ready = getCondition({ conditions: status?.conditions ?? [] }, 'Ready');
  return ready === undefined || ready.status === 'True';
}

/** More than clusters use: pods request cpu, memory, storage and a few kinds of devices. */
const usualAxes = 32;

/**
 * A pod may request thousands of resources that do not exist, and every vector of a plan has an element for each axis.
 * Such resources share one, which costs a pass over all types and nodes to find out.
 */
function resourceAxes({ instanceTypes, nodes }: Snapshot, requested: ReadonlySet<string>): ResourceAxes {
  if (requested.size <= usualAxes) return new ResourceAxes(requested);
  const absent = new Set(requested);
  for (const types of instanceTypes.values())
    for (const { capacity, offerings } of types)
      for (const resources of [capacity, ...offerings.map((offering) => offering.capacity ?? {})])
        for (const name of Object.keys(resources)) absent.delete(name);
  for (const { allocatable } of nodes) for (const name of Object.keys(allocatable)) absent.delete(name);
  return new ResourceAxes(requested, absent);
}

function requestedNames({ daemonPods }: Snapshot, classes: readonly PodClass[]): Set<string> {
  const names = new Set(['cpu', 'memory', 'pods']);
  for (const { requests } of classes) for (const name of Object.keys(requests)) names.add(name);
  for (const pod of daemonPods)
    for (const name of Object.keys(resourceTexts(podRequests(pod)))) names.add(name);
  return names;
}
