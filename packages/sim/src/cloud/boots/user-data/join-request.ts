import type { Taint } from '@karpenter/core/values';

/** What user data says about the cluster that an instance joins, and about its kubelet. */
export interface JoinRequest {
  readonly clusterName: string;
  readonly endpoint: string;
  /** Base64. */
  readonly certificateAuthority: string;
  /** The service CIDR; only Amazon Linux 2023 requires it. */
  readonly serviceCidr?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly kubelet: KubeletSettings;
  /** Whether the instance store volumes are combined and hold pods. */
  readonly usesInstanceStorage: boolean;
}

/** The kubelet settings that change what a node offers. Quantities stay as written. */
export interface KubeletSettings {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly systemReserved: Readonly<Record<string, string>>;
  readonly kubeReserved: Readonly<Record<string, string>>;
  readonly evictionHard: Readonly<Record<string, string>>;
}

/**
 * User data with which an instance cannot join. The message is what the console of the instance would show.
 */
export class UnusableUserData extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableUserData';
  }
}
