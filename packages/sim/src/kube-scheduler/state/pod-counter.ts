import type { PodSelection } from '../pods/pod-selection.ts';
import type { NodeInfo } from './node-info.ts';

type Counts = Map<string, number>;

function add(counts: Counts, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Counts the pods of one selection per node and per topology domain. */
export class PodCounter {
  readonly selection: PodSelection;
  readonly byNode: Counts = new Map();
  readonly #byTopology = new Map<string, Counts>();
  readonly #nodes: ReadonlyMap<string, NodeInfo>;

  constructor(selection: PodSelection, nodes: ReadonlyMap<string, NodeInfo>) {
    this.selection = selection;
    this.#nodes = nodes;
  }

  add(node: NodeInfo, by: number): void {
    add(this.byNode, node.name, by);
    for (const [topologyKey, counts] of this.#byTopology) {
      const domain = node.labels[topologyKey];
      if (domain !== undefined) add(counts, domain, by);
    }
  }

  /** Counts per domain; nodes without the label are left out. Computed at first use, then kept up to date. */
  domains(topologyKey: string): ReadonlyMap<string, number> {
    const known = this.#byTopology.get(topologyKey);
    if (known !== undefined) return known;
    const counts: Counts = new Map();
    for (const [name, count] of this.byNode) {
      const domain = this.#nodes.get(name)?.labels[topologyKey];
      if (domain !== undefined) add(counts, domain, count);
    }
    this.#byTopology.set(topologyKey, counts);
    return counts;
  }
}
