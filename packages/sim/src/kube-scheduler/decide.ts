import type { Chance } from '../objects/chance.ts';
import type { Obstacle } from './filters/index.ts';
import { prepare } from './fit.ts';
import type { Diagnosis } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import { rate } from './scores/index.ts';
import type { ClusterState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

export type Decision = { readonly nodeName: string } | { readonly diagnosis: Diagnosis };

/** In large clusters the scheduler looks only until it has found so many nodes, a share that falls with size. */
const fewestToFind = 100;

function enoughNodes(nodeCount: number): number {
  const percent = Math.max(5, 50 - Math.floor(nodeCount / 125));
  return nodeCount <= fewestToFind
    ? nodeCount
    : Math.max(fewestToFind, Math.floor((nodeCount * percent) / 100));
}

/** Chooses nodes one pod at a time. It remembers where it stopped looking, so that every node has its turn. */
export class NodeChooser {
  readonly #cluster: ClusterState;
  readonly #chance: Chance;
  /** Pods that wait for others to leave the node; the room is theirs. */
  readonly #nominees = new Map<string, Map<string, PodInfo>>();
  readonly #nominations = new Map<string, string>();
  #start = 0;

  constructor(cluster: ClusterState, chance: Chance) {
    this.#cluster = cluster;
    this.#chance = chance;
  }

  nominate(pod: PodInfo, nodeName: string): void {
    this.withdraw(pod.key);
    const nominees = this.#nominees.get(nodeName) ?? new Map<string, PodInfo>();
    this.#nominees.set(nodeName, nominees.set(pod.key, pod));
    this.#nominations.set(pod.key, nodeName);
  }

  withdraw(key: string): void {
    const nodeName = this.#nominations.get(key) ?? '';
    const nominees = this.#nominees.get(nodeName);
    if (nominees?.delete(key) && nominees.size === 0) this.#nominees.delete(nodeName);
    this.#nominations.delete(key);
  }

  decide(pod: PodInfo): Decision {
    const { nodes } = this.#cluster;
    const { check, refusal } = prepare(pod, this.#cluster);
    if (refusal !== undefined) {
      return { diagnosis: { nodeCount: nodes.length, obstacles: new Map(), refusal } };
    }
    const obstacles = new Map<string, Obstacle>();
    const checkAll = (node: NodeInfo) => check(node) ?? this.#checkBesideNominees(pod, node);
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
    const enough = enoughNodes(nodes.length);
    const feasible: NodeInfo[] = [];
    let looked = 0;
    for (; looked < nodes.length && feasible.length < enough; looked += 1) {
      const node = nodes[(this.#start + looked) % nodes.length];
      if (node === undefined) continue;
      const obstacle = check(node);
      if (obstacle === undefined) feasible.push(node);
      else obstacles.set(node.name, obstacle);
    }
    this.#start = nodes.length === 0 ? 0 : (this.#start + looked) % nodes.length;
    return feasible;
  }

  /** Room that was made for more important pods is not to be had. */
  #checkBesideNominees(pod: PodInfo, node: NodeInfo): Obstacle | undefined {
    const nominees = [...(this.#nominees.get(node.name)?.values() ?? [])].filter(
      ({ key, priority }) => key !== pod.key && priority >= pod.priority,
    );
    if (nominees.length === 0) return undefined;
    for (const nominee of nominees) this.#cluster.place(nominee, node.name);
    const obstacle = prepare(pod, this.#cluster).check(node);
    for (const { key } of nominees) this.#cluster.unplace(key);
    return obstacle;
  }

  /** Among equals chance decides. */
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
