import type { InstanceType } from '@karpenter/core/ports';
import { type MarketSources, marketStamp } from '../offerings/index.ts';
import { type ClassType, withOfferings } from './class-type.ts';
import type { OfferingCache } from './offering-cache.ts';

/**
 * The instance types of one EC2NodeClass with current offerings. Returns the same objects while nothing
 * changes, because planners cache what they derive from a type by its identity.
 */
export class ClassView {
  readonly #types: readonly ClassType[];
  readonly #offerings: OfferingCache;
  readonly #sources: MarketSources;
  #offered: readonly InstanceType[] = [];
  #stamp: string | undefined;

  constructor(types: readonly ClassType[], offerings: OfferingCache, sources: MarketSources) {
    this.#types = types;
    this.#offerings = offerings;
    this.#sources = sources;
  }

  list(): readonly InstanceType[] {
    const stamp = marketStamp(this.#sources);
    if (stamp === this.#stamp) return this.#offered;
    this.#offered = this.#types.map((type, index) => this.#offer(type, this.#offered[index]));
    this.#stamp = stamp;
    return this.#offered;
  }

  #offer(type: ClassType, before: InstanceType | undefined): InstanceType {
    const offerings = this.#offerings.of(type);
    return before?.offerings === offerings ? before : withOfferings(type, offerings);
  }
}
