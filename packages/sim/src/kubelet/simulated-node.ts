import { type DurationMs, durationMs, type QuantityTexts, type Taint } from '@karpenter/core/values';

/** A machine with a kubelet on it, as the simulation starts it. */
export interface SimulatedNode {
  readonly name: string;
  readonly providerID?: string;
  /** Besides those that every kubelet gives its node. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the kubelet registers with. */
  readonly taints?: readonly Taint[];
  readonly capacity: QuantityTexts;
  /** Defaults to the capacity. */
  readonly allocatable?: QuantityTexts;
  readonly zone?: string;
  readonly region?: string;
  readonly instanceType?: string;
  readonly architecture?: string;
  readonly operatingSystem?: string;
  readonly internalIP?: string;
  readonly kubeletVersion?: string;
  readonly boot?: Partial<BootDelays>;
  /** Resources of device plugins, which report late. */
  readonly devices?: { readonly names: readonly string[]; readonly after: DurationMs };
  readonly csiDrivers?: readonly CsiDriver[];
  /** Taints that some daemon would take away once the node is ready, and how long that takes. */
  readonly clearedTaints?: readonly { readonly key: string; readonly after: DurationMs }[];
  readonly pods?: Partial<PodDelays>;
}

export interface CsiDriver {
  readonly name: string;
  /** How many volumes may be attached; defaults to no limit. */
  readonly limit?: number;
  readonly topologyKeys?: readonly string[];
}

export interface BootDelays {
  /** Until the Node object appears; `never` for a machine that does not join. */
  readonly register: DurationMs | 'never';
  /** From then on until it is ready. */
  readonly ready: DurationMs;
}

export interface PodDelays {
  /** Pulling images and making containers. */
  readonly create: DurationMs;
  /** Each init container. */
  readonly init: DurationMs;
  /** From running to ready. */
  readonly ready: DurationMs;
  /** How long a pod runs that is meant to end. */
  readonly run: DurationMs;
  /** From the request to end until it has; never more than the grace period. */
  readonly stop: DurationMs;
}

export const usualBoot: BootDelays = { register: durationMs(0), ready: durationMs(0) };

export const usualPods: PodDelays = {
  create: durationMs(1_000),
  init: durationMs(1_000),
  ready: durationMs(0),
  run: durationMs(10_000),
  stop: durationMs(1_000),
};

/**
 * What is wrong with a node. `hung` stops its signs of life while its pods go on, `partitioned` cuts it off from
 * the API server, `failed` has it report that it is not ready.
 */
export type NodeFault = 'none' | 'hung' | 'partitioned' | 'failed';
