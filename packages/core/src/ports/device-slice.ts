import type { NodeSelectorTerm } from '../requirements/index.ts';

/**
 * Devices that the nodes of an instance type will publish, as far as the provider knows in advance: a
 * ResourceSlice without a node. Templates with the same driver and pool form one pool.
 */
export interface DeviceTemplate {
  readonly driver: string;
  readonly pool: string;
  readonly devices?: readonly DeviceView[];
  readonly sharedCounters?: readonly CounterSetView[];
}

/** A device of a ResourceSlice. All shapes in this file use the field names of Kubernetes' JSON. */
export interface DeviceView extends DevicePlace {
  readonly name: string;
  /** By name. A name without a domain is in the domain of the driver. */
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  /** Counters it consumes. Partitionable devices share them with the other devices of their pool. */
  readonly consumesCounters?: readonly CounterConsumption[];
  readonly taints?: readonly DeviceTaint[];
  /** Several claims may each allocate a share of it. */
  readonly allowMultipleAllocations?: boolean;
}

/** The nodes that can use the devices; exactly one field is set. */
export interface DevicePlace {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelectorView;
  readonly allNodes?: boolean;
}

export interface NodeSelectorView {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Exactly one field is set. */
export interface DeviceAttribute {
  readonly int?: number;
  readonly bool?: boolean;
  readonly string?: string;
  /** A semantic version. */
  readonly version?: string;
  readonly ints?: readonly number[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

interface DeviceCapacity {
  readonly value: string | number;
  readonly requestPolicy?: CapacityRequestPolicy;
}

/** Allowed sizes of a share; a claim without a request gets the default. */
export interface CapacityRequestPolicy {
  readonly default?: string | number;
  readonly validValues?: readonly (string | number)[];
  readonly validRange?: {
    readonly min?: string | number;
    readonly max?: string | number;
    readonly step?: string | number;
  };
}

export interface CounterSetView {
  readonly name: string;
  readonly counters: Readonly<Record<string, CounterView>>;
}

interface CounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, CounterView>>;
}

interface CounterView {
  readonly value: string | number;
}

export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  /** `NoSchedule`, `NoExecute` or `None`. */
  readonly effect: string;
}
