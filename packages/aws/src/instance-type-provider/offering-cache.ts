import type { Offering } from '@karpenter/core/ports';
import type { ClassFacts, RequirementPool } from '../instance-types/index.ts';
import {
  type MarketSources,
  marketFor,
  type OfferingMarket,
  offeringsOf,
  typeStamp,
} from '../offerings/index.ts';
import type { ClassType } from './class-type.ts';

interface Cached {
  readonly stamp: string;
  readonly offerings: readonly Offering[];
}

/** Caches the offerings of each type. Classes with the same offering key share one cache. */
export class OfferingCache {
  readonly #sources: MarketSources;
  readonly #market: OfferingMarket;
  readonly #pool: RequirementPool;
  readonly #cached = new Map<string, Cached>();

  constructor(facts: ClassFacts, sources: MarketSources, pool: RequirementPool) {
    this.#sources = sources;
    this.#market = marketFor(facts, sources);
    this.#pool = pool;
  }

  /** Returns the same list while nothing about the type's offerings changes. */
  of({ name, offeringInputs }: ClassType): readonly Offering[] {
    const stamp = typeStamp(this.#sources, name, offeringInputs.reservations.length > 0);
    const known = this.#cached.get(name);
    if (known?.stamp === stamp) return known.offerings;
    const offerings = offeringsOf(offeringInputs, this.#market, this.#pool);
    this.#cached.set(name, { stamp, offerings });
    return offerings;
  }
}
