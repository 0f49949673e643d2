import type { RequirementItem } from '../requirements/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import type { DeviceTemplate } from './device-slice.ts';

/** A kind of machine that a cloud offers, as plain data: it can be written to a file and read back. */
export interface InstanceType {
  readonly name: string;
  /** What its nodes' labels may be: every well-known label, absent ones as DoesNotExist. */
  readonly requirements: readonly RequirementItem[];
  readonly capacity: QuantityTexts;
  /** What is not left for pods. */
  readonly overhead: InstanceOverhead;
  readonly offerings: readonly Offering[];
  /** What its nodes will offer to resource claims; absent where the cloud does not know. */
  readonly deviceTemplates?: readonly DeviceTemplate[];
  /** A NodeOverlay has changed its capacity. */
  readonly hasCapacityOverlay?: boolean;
}

export interface InstanceOverhead {
  readonly kubeReserved?: QuantityTexts;
  readonly systemReserved?: QuantityTexts;
  readonly evictionThreshold?: QuantityTexts;
}

/** An instance type in one zone and capacity type, at a price. */
export interface Offering {
  /** Zone and capacity type at least. */
  readonly requirements: readonly RequirementItem[];
  /** In dollars an hour. */
  readonly price: number;
  /** Unavailable offerings are listed, so that people can be told about them, but never used. */
  readonly available: boolean;
  /**
   * Nobody has asked for it, but much that is like it could not be had: it counts as unavailable, and is used for
   * what nothing else can be had for.
   */
  readonly isSuspect?: boolean;
  /**
   * How many instances a capacity reservation still holds; absent for offerings that are not reserved. Offerings
   * whose requirements name the same reservation share what it holds.
   */
  readonly reservationCapacity?: number;
  /** Where an offering differs from its type. */
  readonly capacity?: QuantityTexts;
  readonly overhead?: InstanceOverhead;
  /** A NodeOverlay has changed its price. */
  readonly hasPriceOverlay?: boolean;
}
