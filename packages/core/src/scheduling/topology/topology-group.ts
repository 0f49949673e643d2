import type { LabelKey, Requirement } from '../../requirements/index.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { NodeFilter } from './node-filter.ts';

export type TopologyKind = 'topology spread' | 'pod affinity' | 'pod anti-affinity';

export interface TopologyGroupOptions {
  readonly kind: TopologyKind;
  readonly key: LabelKey;
  readonly isHostname: boolean;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly namespaces: ReadonlySet<string>;
  readonly selects: (podClass: PodClass) => boolean;
  /** Which nodes count; undefined for affinity, which counts all. */
  readonly filter: NodeFilter | undefined;
}

/** The pods that one constraint selects, and how many of them are in each domain. */
export class TopologyGroup {
  readonly kind: TopologyKind;
  readonly key: LabelKey;
  readonly isHostname: boolean;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly filter: NodeFilter | undefined;
  /** Pods by domain. Also contains domains without pods, because only domains of this map can be chosen. */
  readonly counts = new Map<string, number>();
  /** Whether selected pods are on planned nodes without a placeholder hostname, which `counts` does not contain. */
  hasPodsOnUnnamedHosts = false;
  /** Whether the domains that nodes of the NodePools can have were added. */
  hasPoolDomains = false;
  readonly #options: TopologyGroupOptions;
  /** Results of `selects` by `PodClass.rules`, the number of a set of equal scheduling rules. */
  readonly #selected: (boolean | undefined)[] = [];

  constructor(options: TopologyGroupOptions) {
    this.kind = options.kind;
    this.key = options.key;
    this.isHostname = options.isHostname;
    this.maxSkew = options.maxSkew;
    this.minDomains = options.minDomains;
    this.filter = options.filter;
    this.#options = options;
  }

  selects(podClass: PodClass): boolean {
    const known = this.#selected[podClass.rules];
    if (known !== undefined) return known;
    const found = this.#options.namespaces.has(podClass.namespace) && this.#options.selects(podClass);
    this.#selected[podClass.rules] = found;
    return found;
  }

  /** Adds a domain, so that it can be chosen. */
  register(domain: string): void {
    if (!this.counts.has(domain)) this.counts.set(domain, 0);
  }

  /**
   * In which domains the pods of a node count, if the node may still be in any of the given ones. As in Karpenter,
   * anti-affinity counts in all of them, spread and affinity only once the domain is decided.
   */
  countedDomains(domains: Requirement): readonly string[] {
    if (domains.complement) return [];
    const values = domains.values();
    return this.kind === 'pod anti-affinity' || values.length === 1 ? values : [];
  }

  /** Counts pods of a node that may be in any of these domains. */
  record(domains: Requirement, pods: number): void {
    for (const domain of this.countedDomains(domains))
      this.counts.set(domain, (this.counts.get(domain) ?? 0) + pods);
  }
}
