import { LabelKeySet, Requirements, requiredAlternatives } from '../../requirements/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import {
  compareQuantities,
  formatTaint,
  parseResourceList,
  podRequests,
  type ResourceList,
  resourceAmount,
  subtractResources,
  toNumber,
  untolerated,
} from '../../values/index.ts';
import type { Finding } from '../explanation.ts';
import { LabelSpace } from '../label-space.ts';
import type { ExplainedCluster } from '../situation.ts';
import { amountText, blocked, counted, fact, listed } from '../wording.ts';

/** Why the nodes that exist do not take the pod: one finding for each cause, the most frequent first. */
export function nodeMisses(explained: ExplainedCluster, pod: ClusterPod): readonly Finding[] {
  const { nodes } = explained.cluster;
  if (nodes.length === 0) return [fact('there are no nodes')];
  const isSelected = selectorOf(explained, pod);
  const causes = new Map<Cause, NodeView[]>();
  for (const node of nodes) {
    const cause = causeFor(node, pod, isSelected);
    causes.set(cause, [...(causes.get(cause) ?? []), node]);
  }
  return [...causes]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([cause, of]) => blocked(`${counted(of.length, 'node')} ${textOf[cause](of, pod)}`));
}

/** Nodes whose labels, taints and free resources allow the pod; other rules are not looked at. */
export function nodesWithRoom(explained: ExplainedCluster, pod: ClusterPod): readonly NodeView[] {
  const isSelected = selectorOf(explained, pod);
  return explained.cluster.nodes.filter((node) => causeFor(node, pod, isSelected) === 'rules');
}

function selectorOf({ options }: ExplainedCluster, { spec }: ClusterPod): (node: NodeView) => boolean {
  const labels = new LabelSpace(options);
  const alternatives = requiredAlternatives(labels.vocabulary, spec);
  return (node) => {
    const own = Requirements.fromLabels(labels.vocabulary, node.labels);
    return alternatives.some((asked) => own.compatible(asked, LabelKeySet.empty));
  };
}

type Cause = 'deleting' | 'taints' | 'labels' | 'room' | 'rules';

function causeFor(node: NodeView, pod: ClusterPod, isSelected: (node: NodeView) => boolean): Cause {
  if (node.deleting) return 'deleting';
  if (blockingTaints(node, pod).length > 0) return 'taints';
  if (!isSelected(node)) return 'labels';
  return lacking(node, pod).length > 0 ? 'room' : 'rules';
}

const textOf: Readonly<Record<Cause, (nodes: readonly NodeView[], pod: ClusterPod) => string>> = {
  deleting: (nodes) => `${isOrAre(nodes)} being deleted`,
  taints: (nodes, pod) => {
    const taints = new Set(nodes.flatMap((node) => blockingTaints(node, pod).map(formatTaint)));
    return `${hasOrHave(nodes)} taints that the pod does not tolerate: ${listed([...taints])}`;
  },
  labels: (nodes) => `${nodes.length === 1 ? 'does' : 'do'} not have the labels that the pod asks for`,
  room: (nodes, pod) => `${hasOrHave(nodes)} too little room: ${roomText(nodes, pod)}`,
  rules: (nodes) =>
    `${nodes.length === 1 ? 'is' : 'are'} ruled out by topology, volumes, host ports or pods that go first`,
};

function isOrAre(nodes: readonly unknown[]): string {
  return nodes.length === 1 ? 'is' : 'are';
}

function hasOrHave(nodes: readonly unknown[]): string {
  return nodes.length === 1 ? 'has' : 'have';
}

function blockingTaints({ taints }: NodeView, { spec }: ClusterPod) {
  return untolerated(taints, spec.tolerations).filter(({ effect }) => effect !== 'PreferNoSchedule');
}

function freeOn({ allocatable, podRequests: used }: NodeView): ResourceList {
  return subtractResources(parseResourceList(allocatable), parseResourceList(used));
}

function lacking(node: NodeView, pod: ClusterPod): readonly string[] {
  const free = freeOn(node);
  const resources = { ...podRequests(pod), pods: resourceAmount(parseResourceList({ pods: 1 }), 'pods') };
  return Object.entries(resources)
    .filter(([resource, asked]) => compareQuantities(asked, resourceAmount(free, resource)) > 0)
    .map(([resource]) => resource);
}

/** For each resource that is short somewhere, the most that one of the nodes has free. */
function roomText(nodes: readonly NodeView[], pod: ClusterPod): string {
  const short = new Set(nodes.flatMap((node) => lacking(node, pod)));
  const most = [...short].map((resource) => {
    const free = nodes.map((node) => toNumber(resourceAmount(freeOn(node), resource)));
    return amountText(resource, Math.max(0, ...free));
  });
  return `at most ${most.join(', ')} free`;
}
