import { annotationKeys, labelKeys } from '@karpenter/core/api';
import type { NodeView, PlanOptions, PodView, Snapshot } from '@karpenter/core/scheduling';
import type { Taint } from '@karpenter/core/values';
import { type ExactAmounts, minus, parseAmounts, positivePart, sum } from './amounts.ts';
import { holds, type LabelRules } from './label-rule.ts';
import { blockingTaints, type CheckedPodClass, PodClasses, softTaint } from './pod-class.ts';
import { type PoolFacts, poolFacts } from './pool-facts.ts';

/** A snapshot, parsed once. */
export interface CheckedCluster {
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  readonly pods: ReadonlyMap<string, PodView>;
  readonly nodes: ReadonlyMap<string, CheckedNodeFacts>;
  readonly pools: ReadonlyMap<string, PoolFacts>;
  readonly bound: readonly BoundPod[];
  /** Whether the last relaxation of a pod tolerates soft taints, which requires a NodePool with one. */
  readonly mayIgnoreSoftTaints: boolean;
  classOf(pod: PodView): CheckedPodClass;
}

export interface CheckedNodeFacts {
  readonly name: string;
  readonly view: NodeView;
  readonly labels: ReadonlyMap<string, string>;
  readonly taints: readonly Taint[];
  /** Resources left for pods of the plan, after the daemon pods that have not started yet. */
  readonly room: ExactAmounts;
}

export interface BoundPod {
  readonly uid: string;
  readonly pod: CheckedPodClass;
  readonly node: string;
  /** Whether the node is being deleted. */
  readonly isTerminating: boolean;
}

export function isSatisfied(rules: LabelRules, labels: ReadonlyMap<string, string>): boolean {
  for (const [key, rule] of rules) if (!holds(rule, labels.get(key))) return false;
  return true;
}

/** Whether the labels satisfy the pod's node selector and one of its required terms. */
export function suitsLabels({ alternatives }: CheckedPodClass, labels: ReadonlyMap<string, string>): boolean {
  return alternatives.some((rules) => isSatisfied(rules, labels));
}

function labelsOf({ name, labels }: NodeView, { labelAliases }: PlanOptions): ReadonlyMap<string, string> {
  const byKey = new Map([[labelKeys.hostname as string, name]]);
  for (const [key, value] of Object.entries(labels)) byKey.set(labelAliases.get(key) ?? key, value);
  return byKey;
}

function nodeFacts(
  view: NodeView,
  options: PlanOptions,
  daemons: readonly CheckedPodClass[],
): CheckedNodeFacts {
  const labels = labelsOf(view, options);
  const expected = daemons.filter(
    (daemon) => blockingTaints(view.taints, daemon, false).length === 0 && suitsLabels(daemon, labels),
  );
  const missing = positivePart(
    minus(sum(...expected.map(({ requests }) => requests)), parseAmounts(view.daemonRequests)),
  );
  const room = minus(minus(parseAmounts(view.allocatable), parseAmounts(view.podRequests)), missing);
  return { name: view.name, view, labels, taints: view.taints, room };
}

/** Running pods: neither completed ones nor those that the plan reschedules. */
function boundPods(snapshot: Snapshot, pods: ReadonlyMap<string, PodView>, classes: PodClasses) {
  return snapshot.boundPods
    .filter(({ metadata, status }) => {
      const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
      return !hasEnded && !pods.has(metadata.uid);
    })
    .map((pod) => ({
      uid: pod.metadata.uid,
      pod: classes.of(pod),
      node: pod.nodeName,
      isTerminating: pod.metadata.deletionTimestamp !== undefined,
    }));
}

export function readCluster(snapshot: Snapshot, options: PlanOptions): CheckedCluster {
  const classes = new PodClasses(options.labelAliases);
  const daemons = snapshot.daemonPods.map((pod) => classes.of(pod));
  const context = {
    aliases: options.labelAliases,
    wellKnown: options.wellKnownLabels,
    daemons,
    reservationIdLabel: options.reservedCapacity?.idLabel,
  };
  const pools = snapshot.nodePools.map((pool) =>
    poolFacts(pool, snapshot.instanceTypes.get(pool.metadata.name ?? '') ?? [], context),
  );
  const pods = new Map(snapshot.pods.map((pod) => [pod.metadata.uid, pod]));
  return {
    snapshot,
    options,
    pods,
    nodes: new Map(snapshot.nodes.map((view) => [view.name, nodeFacts(view, options, daemons)])),
    pools: new Map(pools.map((pool) => [pool.name, pool])),
    bound: boundPods(snapshot, pods, classes),
    mayIgnoreSoftTaints: pools.some(
      ({ unusable, taints }) => unusable === undefined && taints.some(({ effect }) => effect === softTaint),
    ),
    classOf: (pod) => classes.of(pod),
  };
}

/** Whether a pod exists only in plans: of a CapacityBuffer, or one that its owner has yet to create. */
export function isVirtual({ pods }: CheckedCluster, uid: string): boolean {
  const isBuffer = pods.get(uid)?.metadata.annotations?.[annotationKeys.bufferPod] === 'true';
  return isBuffer || uid.startsWith('upcoming:');
}

export function hasVirtualPods(cluster: CheckedCluster): boolean {
  return [...cluster.pods.keys()].some((uid) => isVirtual(cluster, uid));
}
