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
  /** Which nodes take part; absent for affinity, where all do. */
  readonly filter: NodeFilter | undefined;
}

/** Pods that are counted together, and how many of them each domain holds. */
export class TopologyGroup {
  readonly kind: TopologyKind;
  readonly key: LabelKey;
  readonly isHostname: boolean;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly filter: NodeFilter | undefined;
  readonly counts = new Map<string, number>();
  /** Whether pods that it selects are on new nodes that have no name to be counted by. */
  hasUnnamedHosts = false;
  /** Whether the domains in which pools can make nodes have been registered for some pod. */
  hasPoolDomains = false;
  readonly #options: TopologyGroupOptions;
  /** By index of the class. */
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

  /** Makes a domain known, so that it can be chosen. */
  register(domain: string): void {
    if (!this.counts.has(domain)) this.counts.set(domain, 0);
  }

  /** In which domains pods count on a node whose label may still have these values. */
  recorded(domains: Requirement): readonly string[] {
    if (domains.complement) return [];
    const values = domains.values();
    return this.kind === 'pod anti-affinity' || values.length === 1 ? values : [];
  }

  /** Counts pods on a node whose label may still have these values. */
  record(domains: Requirement, pods: number): void {
    for (const domain of this.recorded(domains))
      this.counts.set(domain, (this.counts.get(domain) ?? 0) + pods);
  }
}
