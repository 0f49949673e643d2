import { isConditionTrue, labelKeys, type NodeOverlay, nodeOverlayConditions } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

/**
 * Prices of types that AWS has not priced yet. People who may use them already say what they cost with a NodeOverlay
 * that has a price and speaks of instance types by name and of nothing else.
 */
export function previewPricesOf(overlays: readonly NodeOverlay[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  const byWeight = [...overlays].sort((a, b) => (a.spec.weight ?? 0) - (b.spec.weight ?? 0));
  for (const overlay of byWeight) {
    for (const type of previewedTypes(overlay)) prices.set(type, Number(overlay.spec.price));
  }
  return prices;
}

function previewedTypes({ spec, status }: NodeOverlay): readonly string[] {
  const [requirement, ...others] = spec.requirements;
  const isByName =
    others.length === 0 && requirement?.key === labelKeys.instanceType && requirement.operator === 'In';
  const isValid = isConditionTrue(
    { conditions: status?.conditions ?? [] },
    nodeOverlayConditions.validationSucceeded,
  );
  return isByName && isValid && spec.price !== undefined ? (requirement.values ?? []) : [];
}

/** Reads the overlays anew every few minutes. */
export class PreviewPrices {
  readonly #overlays: () => readonly NodeOverlay[];
  readonly #now: () => Instant;
  #prices: ReadonlyMap<string, number> = new Map();
  #readAgainAt: Instant = Number.NEGATIVE_INFINITY;
  #version = 0;

  constructor(overlays: () => readonly NodeOverlay[], now: () => Instant) {
    this.#overlays = overlays;
    this.#now = now;
  }

  /** Another number each time that prices have changed. */
  get version(): number {
    this.#read();
    return this.#version;
  }

  price(instanceType: string): number | undefined {
    this.#read();
    return this.#prices.get(instanceType);
  }

  #read(): void {
    const now = this.#now();
    if (now < this.#readAgainAt) return;
    this.#readAgainAt = now + cacheLifetimes.overlayPrices;
    const prices = previewPricesOf(this.#overlays());
    if (!isSame(prices, this.#prices)) this.#version += 1;
    this.#prices = prices;
  }
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([type, price]) => b.get(type) === price);
}
