import type { Taint } from '@karpenter/core/values';
import type { AmiFamilyName } from '../ami-family/index.ts';
import type { KubeletConfiguration } from '../node-class/index.ts';

/** The cluster that a node joins. */
export interface ClusterFacts {
  readonly name: string;
  readonly endpoint: string;
  /** The certificates that nodes verify the API server by, in base64. */
  readonly caBundle?: string | undefined;
  /** The addresses of services; AL2023 cannot start without them. */
  readonly cidr?: string | undefined;
}

/** All that user data is made of. */
export interface Bootstrap {
  readonly cluster: ClusterFacts;
  /** With `maxPods` and `clusterDNS` filled in. */
  readonly kubelet?: KubeletConfiguration | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly customUserData?: string | undefined;
  readonly instanceStorePolicy?: 'RAID0' | undefined;
  /** Of Bottlerocket; `latest` is newer than all, undefined older. */
  readonly imageVersion?: string | undefined;
}

/** @param onUnknown told of settings of the owner that are not known and so left out */
export type UserDataFormat = (bootstrap: Bootstrap, onUnknown?: (path: string) => void) => string;
export type UserDataFormats = Readonly<Record<AmiFamilyName, UserDataFormat>>;
