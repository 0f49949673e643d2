import type { InstanceType } from '@karpenter/core/ports';
import { type MarketSources, marketStamp } from '../offerings/index.ts';
import { type ClassType, withOfferings } from './class-type.ts';
import type { OfferingCache } from './offering-cache.ts';

export interface ClassViewOptions {
  readonly types: readonly ClassType[];
  readonly offerings: OfferingCache;
  readonly sources: MarketSources;
}

/**
 * The instance types of one EC2NodeClass with current offerings. Returns the same objects while nothing
 * changes, because planners cache what they derive from a type by its identity.
 */
export class ClassView {
  readonly types: readonly ClassType[];
  readonly #offerings: OfferingCache;
  readonly #sources: MarketSources;
  /** The last list, in the order of `types`; undefined where the type was rebuilt since. */
  #offered: readonly (InstanceType | undefined)[] = [];
  #list: readonly InstanceType[] = [];
  #stamp: string | undefined;

  /** @param stale the view that this one replaces */
  constructor({ types, offerings, sources }: ClassViewOptions, stale?: ClassView) {
    this.types = types;
    this.#offerings = offerings;
    this.#sources = sources;
    if (stale !== undefined)
      this.#offered = types.map((type, index) =>
        stale.types[index] === type ? stale.#list[index] : undefined,
      );
  }

  list(): readonly InstanceType[] {
    const stamp = marketStamp(this.#sources);
    if (stamp === this.#stamp) return this.#list;
    this.#list = this.types.map((type, index) => this.#offer(type, this.#offered[index]));
    this.#offered = this.#list;
    this.#stamp = stamp;
    return this.#list;
  }

  #offer(type: ClassType, before: InstanceType | undefined): InstanceType {
    const offerings = this.#offerings.of(type);
    return before?.offerings === offerings ? before : withOfferings(type, offerings);
  }
}
