import { checkMinValues, type MinValuesShortfall, type Requirements } from '../../requirements/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';

/** The `minValues` that the instance types of these offers do not reach together. */
export function minValuesShortfalls(
  requirements: Requirements,
  offers: readonly TemplateOffer[],
): readonly MinValuesShortfall[] {
  if (requirements.entries.every(({ minValues }) => minValues === undefined)) return [];
  const types = new Set(offers.map(({ of }) => of.type.requirements));
  return checkMinValues(requirements, [...types]).shortfalls;
}

/** Offers of a mask that hold the size, the cheapest first. */
export function offersHolding(
  { offers, kinds }: NodeTemplate,
  mask: Uint32Array,
  size: Float64Array,
): readonly TemplateOffer[] {
  return offers.filter((offer) => kinds.allows(mask, offer) && fitsInto(size, offer.room));
}
