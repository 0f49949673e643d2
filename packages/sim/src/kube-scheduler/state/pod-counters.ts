import type { PodInfo } from '../pods/pod-info.ts';
import type { NamespaceLabels, PodSelection } from '../pods/pod-selection.ts';
import type { NodeInfo } from './node-info.ts';
import { PodCounter } from './pod-counter.ts';

/** Selections come and go with rollouts; beyond this many all are forgotten and those in use counted anew. */
const mostCounters = 2_000;
const mostIdentities = 50_000;

interface Matches {
  /** How many counters were looked at when this was written. */
  examined: number;
  readonly counters: PodCounter[];
}

/**
 * One counter for each selection that some pod asked about, kept up to date as pods come and go: no decision
 * has to go through all pods. Pods that look alike are matched with the counters once.
 */
export class PodCounters {
  readonly #nodes: ReadonlyMap<string, NodeInfo>;
  readonly #namespaceLabels: NamespaceLabels;
  readonly #byKey = new Map<string, PodCounter>();
  readonly #inOrder: PodCounter[] = [];
  readonly #matches = new Map<string, Matches>();

  constructor(nodes: ReadonlyMap<string, NodeInfo>, namespaceLabels: NamespaceLabels) {
    this.#nodes = nodes;
    this.#namespaceLabels = namespaceLabels;
  }

  of(selection: PodSelection): PodCounter {
    const known = this.#byKey.get(selection.key);
    if (known !== undefined) return known;
    if (this.#inOrder.length >= mostCounters) this.forget();
    const counter = new PodCounter(selection, this.#nodes);
    this.#byKey.set(selection.key, counter);
    this.#inOrder.push(counter);
    this.#countAll(counter);
    return counter;
  }

  count(node: NodeInfo, pod: PodInfo, by: 1 | -1): void {
    for (const counter of this.#matching(pod)) counter.add(node, by);
  }

  /** After a change that makes old answers wrong, such as new labels of a namespace. */
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
    if (selection.onlyStaying && pod.isTerminating) return false;
    return selection.selects(pod.identity, this.#namespaceLabels);
  }

  #matching(pod: PodInfo): readonly PodCounter[] {
    if (this.#matches.size > mostIdentities) this.#matches.clear();
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
