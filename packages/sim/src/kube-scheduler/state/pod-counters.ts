import type { PodInfo } from '../pods/pod-info.ts';
import type { NamespaceLabelLookup, PodSelection } from '../pods/pod-selection.ts';
import type { NodeInfo } from './node-info.ts';
import { PodCounter } from './pod-counter.ts';

/**
 * Rollouts bring ever new selections. Beyond this many all counters are dropped, and those still in use are
 * counted again.
 */
const maxCounters = 2_000;
const maxIdentities = 50_000;

interface Matches {
  /** How many counters were checked for this identity so far; later ones are checked at the next use. */
  examined: number;
  readonly counters: PodCounter[];
}

/**
 * One counter per selection that some pod uses, updated as pods come and go, so that no decision iterates
 * over all pods. Each pod identity is matched with the counters once.
 */
export class PodCounters {
  readonly #nodes: ReadonlyMap<string, NodeInfo>;
  readonly #namespaceLabels: NamespaceLabelLookup;
  readonly #byKey = new Map<string, PodCounter>();
  readonly #inOrder: PodCounter[] = [];
  readonly #matches = new Map<string, Matches>();

  constructor(nodes: ReadonlyMap<string, NodeInfo>, namespaceLabels: NamespaceLabelLookup) {
    this.#nodes = nodes;
    this.#namespaceLabels = namespaceLabels;
  }

  of(selection: PodSelection): PodCounter {
    const known = this.#byKey.get(selection.key);
    if (known !== undefined) return known;
    if (this.#inOrder.length >= maxCounters) this.forget();
    const counter = new PodCounter(selection, this.#nodes);
    this.#byKey.set(selection.key, counter);
    this.#inOrder.push(counter);
    this.#countAll(counter);
    return counter;
  }

  count(node: NodeInfo, pod: PodInfo, by: 1 | -1): void {
    for (const counter of this.#matching(pod)) counter.add(node, by);
  }

  /** Drops all counters; call it when results may be wrong, as after a change of namespace labels. */
  forget(): void {
    this.#byKey.clear();
    this.#inOrder.length = 0;
    this.#matches.clear();
  }

  #countAll(counter: PodCounter): void {
    for (const node of this.#nodes.values()) {
      let count = 0;
      for (const pod of node.pods.values()) if (this.#isCounted(counter, pod)) count += 1;
      if (count > 0) counter.add(node, count);
    }
  }

  #isCounted({ selection }: PodCounter, pod: PodInfo): boolean {
    if (selection.excludesTerminating && pod.isTerminating) return false;
    return selection.selects(pod.identity, this.#namespaceLabels);
  }

  #matching(pod: PodInfo): readonly PodCounter[] {
    if (this.#matches.size > maxIdentities) this.#matches.clear();
    const text = pod.isTerminating ? `${pod.identity.text}\nterminating` : pod.identity.text;
    const known = this.#matches.get(text) ?? { examined: 0, counters: [] };
    for (; known.examined < this.#inOrder.length; known.examined += 1) {
      const counter = this.#inOrder[known.examined];
      if (counter !== undefined && this.#isCounted(counter, pod)) known.counters.push(counter);
    }
    this.#matches.set(text, known);
    return known.counters;
  }
}
