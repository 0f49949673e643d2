import type { RequirementItem } from '../requirements/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import type { DeviceTemplate } from './device-slice.ts';

/** An instance type of a cloud provider, as plain data: it can be written to a file and read back. */
export interface InstanceType {
  readonly name: string;
  /** The labels its nodes can have: every well-known label, with DoesNotExist for those that do not apply. */
  readonly requirements: readonly RequirementItem[];
  readonly capacity: QuantityTexts;
  /** Resources that are not allocatable to pods. */
  readonly overhead: InstanceOverhead;
  readonly offerings: readonly Offering[];
  /**
   * What a node of the type costs besides its instance, in dollars per hour: volumes, a public address. Absent
   * if the provider does not know. Plans count it; reported prices are those of offerings.
   */
  readonly nodeOverheadPrice?: number;
  /** Present on types whose CPU costs extra beyond a baseline. */
  readonly burst?: CpuBurst;
  /** Devices its nodes will publish; absent if the provider does not know. */
  readonly deviceTemplates?: readonly DeviceTemplate[];
  /**
   * Resources of which its nodes have a part that their capacity does not count, such as a slice of a GPU. A
   * NodePool with a limit on one of them does not launch the type.
   */
  readonly partialDevices?: readonly string[];
  /** A NodeOverlay changed its capacity. */
  readonly hasCapacityOverlay?: boolean;
}

export interface InstanceOverhead {
  readonly kubeReserved?: QuantityTexts;
  readonly systemReserved?: QuantityTexts;
  readonly evictionThreshold?: QuantityTexts;
}

/** CPU that an instance may use beyond what its price includes. */
export interface CpuBurst {
  /** vCPUs that the price includes, on average over time. */
  readonly baseline: number;
  /** Dollars per hour for each vCPU beyond. */
  readonly surplusPrice: number;
}

/** An instance type in one zone and capacity type, at a price. */
export interface Offering {
  /** At least zone and capacity type. */
  readonly requirements: readonly RequirementItem[];
  /** In dollars per hour. */
  readonly price: number;
  /** Unavailable offerings are listed for error messages, but never launched. */
  readonly available: boolean;
  /**
   * Not known to be unavailable, but many similar offerings were: it counts as unavailable and is used only
   * as a last choice.
   */
  readonly isSuspect?: boolean;
  /**
   * Instances left in a capacity reservation; absent for offerings that are not reserved. Offerings that name
   * the same reservation share them.
   */
  readonly reservationCapacity?: number;
  /** Set where the offering differs from its type. */
  readonly capacity?: QuantityTexts;
  readonly overhead?: InstanceOverhead;
  /** A NodeOverlay changed its price. */
  readonly hasPriceOverlay?: boolean;
}
