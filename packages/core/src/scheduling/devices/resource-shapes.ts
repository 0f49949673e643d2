import type {
  CounterSetView,
  DevicePlace,
  DeviceTaint,
  DeviceView,
  NodeSelectorView,
} from '../../ports/index.ts';
import type { OwnerReference } from '../../values/index.ts';

/** What plans read of resource.k8s.io/v1, spelt as in Kubernetes' JSON; the server has filled in defaults. */
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
    /** Each device says itself from where it can be used. */
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
    /** Who uses it. */
    readonly reservedFor?: readonly ClaimConsumerView[];
  };
}

export interface ClaimConsumerView {
  readonly resource: string;
  readonly uid: string;
}

export interface DeviceClaimView {
  readonly requests?: readonly DeviceRequestView[];
  readonly constraints?: readonly DeviceConstraintView[];
}

export interface DeviceRequestView {
  readonly name: string;
  readonly exactly?: ExactRequestView;
  /** The first that can be had is taken. */
  readonly firstAvailable?: readonly (ExactRequestView & { readonly name: string })[];
}

export interface ExactRequestView {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelectorView[];
  /** `ExactCount`, which is the default, or `All`. */
  readonly allocationMode?: string;
  readonly count?: number;
  /** Looks at devices that others may use. */
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceTolerationView[];
  readonly capacity?: { readonly requests?: Readonly<Record<string, string | number>> };
}

export interface DeviceTolerationView extends Partial<DeviceTaint> {
  readonly operator?: string;
}

export interface DeviceConstraintView {
  /** Names of requests, or `request/alternative`; all where there are none. */
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

export interface AllocationView {
  readonly devices?: { readonly results?: readonly AllocationResultView[] };
  /** Absent if the devices can be used from all nodes. */
  readonly nodeSelector?: NodeSelectorView;
}

export interface AllocationResultView {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  /** Of a device that several share. */
  readonly consumedCapacity?: Readonly<Record<string, string | number>>;
}
