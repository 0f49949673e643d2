import { type DurationMs, durationMs, type QuantityTexts, type Taint } from '@karpenter/core/values';

/** A node to simulate. Plain data, because it is saved with the account. */
export interface SimulatedNode {
  readonly name: string;
  readonly providerID?: string;
  /** Added to the labels that every kubelet sets. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The taints with which the kubelet registers. */
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
  /** Extended resources of device plugins, and how long after readiness they are reported. */
  readonly devices?: { readonly names: readonly string[]; readonly after: DurationMs };
  readonly csiDrivers?: readonly CsiDriver[];
  /** Taints that a daemon would remove, and how long after readiness. */
  readonly clearedTaints?: readonly { readonly key: string; readonly after: DurationMs }[];
  readonly pods?: Partial<PodDelays>;
}

interface CsiDriver {
  readonly name: string;
  /** The number of attachable volumes; unlimited by default. */
  readonly limit?: number;
  readonly topologyKeys?: readonly string[];
}

export interface BootDelays {
  /** Until the Node object appears; `never` for an instance that does not join. */
  readonly register: DurationMs | 'never';
  /** From registration until the node is ready. */
  readonly ready: DurationMs;
}

export interface PodDelays {
  /** For pulling images and creating containers. */
  readonly create: DurationMs;
  /** For each init container. */
  readonly init: DurationMs;
  /** From running to ready. */
  readonly ready: DurationMs;
  /** The run time of a pod that ends by itself. */
  readonly run: DurationMs;
  /** From the deletion until the pod has ended; at most the grace period. */
  readonly stop: DurationMs;
}

export const defaultBootDelays: BootDelays = { register: durationMs(0), ready: durationMs(0) };

export const defaultPodDelays: PodDelays = {
  create: durationMs(1_000),
  init: durationMs(1_000),
  ready: durationMs(0),
  run: durationMs(10_000),
  stop: durationMs(1_000),
};

/**
 * A fault of a node. `hung`: the kubelet sends no heartbeats, but its pods run. `partitioned`: the node is
 * cut off from the API server. `failed`: the kubelet reports that it is not ready.
 */
export type NodeFault = 'none' | 'hung' | 'partitioned' | 'failed';
