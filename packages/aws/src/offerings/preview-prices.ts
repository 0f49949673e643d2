import { isConditionTrue, labelKeys, type NodeOverlay, nodeOverlayConditions } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

/**
 * Prices of preview instance types that the AWS price list does not have yet.
 * Users with access set them with a NodeOverlay that has a price and selects
 * instance types by name only. The overlay with the highest weight wins.
 */
export function previewPricesOf(overlays: readonly NodeOverlay[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  // Ascending, because a later overlay overwrites the price of an earlier one.
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

/** Caches the preview prices and rereads the NodeOverlays every few minutes. */
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

  /** Increases when a price changes. */
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
