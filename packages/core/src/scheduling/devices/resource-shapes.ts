import type {
  CounterSetView,
  DevicePlace,
  DeviceTaint,
  DeviceView,
  NodeSelectorView,
} from '../../ports/index.ts';
import type { OwnerReference } from '../../values/index.ts';

/**
 * The fields of resource.k8s.io/v1 that plans read, spelt as in the API, after defaulting by the API server.
 */
export interface DevicesView {
  readonly slices: readonly ResourceSliceView[];
  readonly claims: readonly ResourceClaimView[];
  readonly classes: readonly DeviceClassView[];
}

export interface ResourceSliceView {
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly OwnerReference[] };
  readonly spec: DevicePlace & {
    readonly driver: string;
    readonly pool: {
      readonly name: string;
      readonly generation: number;
      readonly resourceSliceCount: number;
    };
    readonly devices?: readonly DeviceView[];
    readonly sharedCounters?: readonly CounterSetView[];
    /** Each device has its own node selection. */
    readonly perDeviceNodeSelection?: boolean;
  };
}

export interface DeviceClassView {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly selectors?: readonly DeviceSelectorView[] };
}

export interface DeviceSelectorView {
  readonly cel?: { readonly expression: string };
}

export interface ResourceClaimView {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly devices?: DeviceClaimView };
  readonly status?: {
    readonly allocation?: AllocationView;
    /** Consumers of the claim. */
    readonly reservedFor?: readonly ClaimConsumerView[];
  };
}

interface ClaimConsumerView {
  readonly resource: string;
  readonly uid: string;
}

interface DeviceClaimView {
  readonly requests?: readonly DeviceRequestView[];
  readonly constraints?: readonly DeviceConstraintView[];
}

export interface DeviceRequestView {
  readonly name: string;
  readonly exactly?: ExactRequestView;
  /** In the order of preference. */
  readonly firstAvailable?: readonly (ExactRequestView & { readonly name: string })[];
}

export interface ExactRequestView {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelectorView[];
  /** `ExactCount`, which is the default, or `All`. */
  readonly allocationMode?: string;
  readonly count?: number;
  /** May use devices that are in use. */
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceTolerationView[];
  readonly capacity?: { readonly requests?: Readonly<Record<string, string | number>> };
}

export interface DeviceTolerationView extends Partial<DeviceTaint> {
  readonly operator?: string;
}

export interface DeviceConstraintView {
  /** Names of requests, or `request/alternative`; empty for all. */
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

interface AllocationView {
  readonly devices?: { readonly results?: readonly AllocationResultView[] };
  /** Absent if all nodes can use the devices. */
  readonly nodeSelector?: NodeSelectorView;
}

export interface AllocationResultView {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  /** Of a device that allows multiple allocations. */
  readonly consumedCapacity?: Readonly<Record<string, string | number>>;
}
