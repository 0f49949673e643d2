import type { NodeSelectorTerm } from '../requirements/index.ts';

/**
 * Devices that the nodes of an instance type will publish, as far as the cloud knows before there is one: a
 * ResourceSlice without a node. All that has the same driver and pool is one pool.
 */
export interface DeviceTemplate {
  readonly driver: string;
  readonly pool: string;
  readonly devices?: readonly DeviceView[];
  readonly sharedCounters?: readonly CounterSetView[];
}

/** A device as a ResourceSlice has it, spelt as in Kubernetes' JSON, as are all shapes of this file. */
export interface DeviceView extends DevicePlace {
  readonly name: string;
  /** By name; one without a domain is in that of the driver. */
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  /** What it takes of counters that it shares with other devices of its pool, of which it is a part. */
  readonly consumesCounters?: readonly CounterConsumption[];
  readonly taints?: readonly DeviceTaint[];
  /** Several claims may have a share of it each. */
  readonly allowMultipleAllocations?: boolean;
}

/** From where devices can be used; one of these. */
export interface DevicePlace {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelectorView;
  readonly allNodes?: boolean;
}

export interface NodeSelectorView {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** One of these is set. */
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

export interface DeviceCapacity {
  readonly value: string | number;
  readonly requestPolicy?: CapacityRequestPolicy;
}

/** How much a share may be; a claim that does not say gets the default. */
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

export interface CounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, CounterView>>;
}

export interface CounterView {
  readonly value: string | number;
}

export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  /** `NoSchedule`, `NoExecute` or `None`. */
  readonly effect: string;
}
