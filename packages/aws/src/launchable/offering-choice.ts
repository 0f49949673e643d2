import type { CapacityType } from '@karpenter/core/api';
import type { Requirements } from '@karpenter/core/requirements';
import type { Catalogue, LaunchableOffering, LaunchableType } from './launchable-type.ts';

/** What is asked of an instance, in the terms of a catalogue. */
export interface Wanted {
  readonly catalogue: Catalogue;
  readonly requirements: Requirements;
}

/** Offerings of all types together say the same few things, so each is judged once for a wish. */
const verdicts = new WeakMap<Requirements, Map<Requirements, boolean>>();

/** Offerings that can be had now and are wanted. */
export function openOfferings(type: LaunchableType, wanted: Wanted): readonly LaunchableOffering[] {
  const judged = verdicts.get(wanted.requirements) ?? new Map<Requirements, boolean>();
  verdicts.set(wanted.requirements, judged);
  return type.offerings.filter((offering) => offering.available && verdict(offering, wanted, judged));
}

function verdict(offering: LaunchableOffering, wanted: Wanted, judged: Map<Requirements, boolean>): boolean {
  const known = judged.get(offering.requirements);
  if (known !== undefined) return known;
  const made = isWanted(offering, wanted);
  judged.set(offering.requirements, made);
  return made;
}

export function isWanted({ requirements }: { readonly requirements: Requirements }, wanted: Wanted): boolean {
  return wanted.requirements.compatible(requirements, wanted.catalogue.wellKnown);
}

export function offeringsSoldAs(
  type: LaunchableType,
  capacityType: CapacityType,
  wanted: Wanted,
): readonly LaunchableOffering[] {
  return openOfferings(type, wanted).filter((offering) => offering.capacityType === capacityType);
}

/** The lowest price at which the type can be had, infinite if it cannot. */
export function cheapestPrice(type: LaunchableType, wanted: Wanted): number {
  return Math.min(...openOfferings(type, wanted).map(({ price }) => price), Number.POSITIVE_INFINITY);
}
