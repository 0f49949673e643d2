import type { AffinityTerm } from '../pods/affinity-terms.ts';
import type { NamespaceLabelLookup, SelectablePod } from '../pods/pod-selection.ts';
import type { NodeInfo } from './node-info.ts';

/** A term of running pods, with the number of its owners per domain. */
export interface ExistingTerm {
  readonly term: AffinityTerm;
  readonly domains: ReadonlyMap<string, number>;
}

interface Entry {
  readonly term: AffinityTerm;
  readonly domains: Map<string, number>;
  owners: number;
}

/**
 * The affinity terms of running pods, which also apply to incoming pods. Equal terms are stored once, because
 * the pods of a workload share theirs.
 */
export class ExistingTerms {
  readonly #entries = new Map<string, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  count(node: NodeInfo, terms: readonly AffinityTerm[], by: 1 | -1): void {
    for (const term of terms) this.#countTerm(node, term, by);
  }

  /** The terms that select the given pod. */
  *about(pod: SelectablePod, namespaceLabels: NamespaceLabelLookup): Generator<ExistingTerm> {
    for (const entry of this.#entries.values()) {
      if (entry.term.selection.selects(pod, namespaceLabels)) yield entry;
    }
  }

  #countTerm(node: NodeInfo, term: AffinityTerm, by: 1 | -1): void {
    const entry = this.#entries.get(term.key) ?? { term, domains: new Map<string, number>(), owners: 0 };
    entry.owners += by;
    if (entry.owners <= 0) this.#entries.delete(term.key);
    else this.#entries.set(term.key, entry);
    const domain = node.labels[term.topologyKey];
    if (domain === undefined) return;
    const count = (entry.domains.get(domain) ?? 0) + by;
    if (count === 0) entry.domains.delete(domain);
    else entry.domains.set(domain, count);
  }
}
