import type { Taint } from '@karpenter/core/values';
import type { AmiFamilyName } from '../ami-family/index.ts';
import type { KubeletConfiguration } from '../node-class/index.ts';

/** The cluster that a node joins. */
export interface ClusterFacts {
  readonly name: string;
  readonly endpoint: string;
  /** CA bundle of the API server, in base64. */
  readonly caBundle?: string | undefined;
  /** Service CIDR; AL2023 nodes cannot start without it. */
  readonly cidr?: string | undefined;
}

/** Inputs of the user data. */
export interface Bootstrap {
  readonly cluster: ClusterFacts;
  /** With `maxPods` and `clusterDNS` filled in. */
  readonly kubelet?: KubeletConfiguration | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly customUserData?: string | undefined;
  readonly instanceStorePolicy?: 'RAID0' | undefined;
  /** Bottlerocket release; `latest` counts as the newest, undefined as the oldest. */
  readonly imageVersion?: string | undefined;
}

/** @param onUnknown called with each unknown custom setting, which is left out */
type UserDataFormat = (bootstrap: Bootstrap, onUnknown?: (path: string) => void) => string;
export type UserDataFormats = Readonly<Record<AmiFamilyName, UserDataFormat>>;
