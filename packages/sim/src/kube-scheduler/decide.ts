import type { Chance } from '../objects/chance.ts';
import type { Obstacle } from './filters/index.ts';
import { prepare } from './fit.ts';
import type { Diagnosis } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import { rate } from './scores/index.ts';
import type { SchedulerState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

type SchedulingDecision = { readonly nodeName: string } | { readonly diagnosis: Diagnosis };

/**
 * As in kube-scheduler (percentageOfNodesToScore), the search in a large cluster stops after this many
 * feasible nodes or a share of all nodes that falls with their number.
 */
const minFeasibleNodes = 100;

function feasibleNodesToFind(nodeCount: number): number {
  const percent = Math.max(5, 50 - Math.floor(nodeCount / 125));
  return nodeCount <= minFeasibleNodes
    ? nodeCount
    : Math.max(minFeasibleNodes, Math.floor((nodeCount * percent) / 100));
}

/**
 * Chooses a node for one pod at a time. Each search starts where the last one stopped, so that all nodes get
 * pods.
 */
export class NodeChooser {
  readonly #cluster: SchedulerState;
  readonly #chance: Chance;
  /** By node, the pods for which it evicts victims; the freed capacity is reserved for them. */
  readonly #nominatedPods = new Map<string, Map<string, PodInfo>>();
  readonly #nominations = new Map<string, string>();
  #start = 0;

  constructor(cluster: SchedulerState, chance: Chance) {
    this.#cluster = cluster;
    this.#chance = chance;
  }

  /** Reserves the node for a pod whose victims are being evicted. */
  nominate(pod: PodInfo, nodeName: string): void {
    this.withdraw(pod.key);
    const nominated = this.#nominatedPods.get(nodeName) ?? new Map<string, PodInfo>();
    this.#nominatedPods.set(nodeName, nominated.set(pod.key, pod));
    this.#nominations.set(pod.key, nodeName);
  }

  withdraw(key: string): void {
    const nodeName = this.#nominations.get(key) ?? '';
    const nominated = this.#nominatedPods.get(nodeName);
    if (nominated?.delete(key) && nominated.size === 0) this.#nominatedPods.delete(nodeName);
    this.#nominations.delete(key);
  }

  /** Returns a node, or why none fits. Does not place the pod. */
  decide(pod: PodInfo): SchedulingDecision {
    const { nodes } = this.#cluster;
    const { check, refusal } = prepare(pod, this.#cluster);
    if (refusal !== undefined) {
      return { diagnosis: { nodeCount: nodes.length, obstacles: new Map(), refusal } };
    }
    const obstacles = new Map<string, Obstacle>();
    const checkAll = (node: NodeInfo) => check(node) ?? this.#checkBesideNominated(pod, node);
    const nominated = this.#cluster.node(this.#nominations.get(pod.key) ?? '');
    if (nominated !== undefined && checkAll(nominated) === undefined) return { nodeName: nominated.name };
    const feasible = this.#search(checkAll, obstacles);
    if (feasible.length === 0) return { diagnosis: { nodeCount: nodes.length, obstacles } };
    return { nodeName: this.#best(pod, feasible) };
  }

  #search(
    check: (node: NodeInfo) => Obstacle | undefined,
    obstacles: Map<string, Obstacle>,
  ): readonly NodeInfo[] {
    const { nodes } = this.#cluster;
    const wanted = feasibleNodesToFind(nodes.length);
    const feasible: NodeInfo[] = [];
    let looked = 0;
    for (; looked < nodes.length && feasible.length < wanted; looked += 1) {
      const node = nodes[(this.#start + looked) % nodes.length];
      if (node === undefined) continue;
      const obstacle = check(node);
      if (obstacle === undefined) feasible.push(node);
      else obstacles.set(node.name, obstacle);
    }
    this.#start = nodes.length === 0 ? 0 : (this.#start + looked) % nodes.length;
    return feasible;
  }

  /**
   * Checks the node as if the pods nominated for it, of the same or a higher priority, ran there. Leaves the
   * state as it was.
   */
  #checkBesideNominated(pod: PodInfo, node: NodeInfo): Obstacle | undefined {
    const nominated = [...(this.#nominatedPods.get(node.name)?.values() ?? [])].filter(
      ({ key, priority }) => key !== pod.key && priority >= pod.priority,
    );
    if (nominated.length === 0) return undefined;
    for (const other of nominated) this.#cluster.place(other, node.name);
    const obstacle = prepare(pod, this.#cluster).check(node);
    for (const { key } of nominated) this.#cluster.unplace(key);
    return obstacle;
  }

  /**
   * The node with the highest score; among equal ones a random one, by reservoir sampling as in
   * kube-scheduler.
   */
  #best(pod: PodInfo, feasible: readonly NodeInfo[]): string {
    const ratings = feasible.length === 1 ? [0] : rate(pod, feasible, this.#cluster);
    let chosen = '';
    let highest = Number.NEGATIVE_INFINITY;
    let equals = 0;
    for (const [index, node] of feasible.entries()) {
      const rating = ratings[index] ?? 0;
      if (rating < highest) continue;
      equals = rating > highest ? 1 : equals + 1;
      highest = rating;
      if (equals === 1 || this.#chance.below(equals) === 0) chosen = node.name;
    }
    return chosen;
  }
}
