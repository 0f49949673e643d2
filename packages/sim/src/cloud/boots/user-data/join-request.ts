import type { Taint } from '@karpenter/core/values';

/** What user data tells a machine about the cluster that it is to join. */
export interface JoinRequest {
  readonly clusterName: string;
  readonly endpoint: string;
  /** Base64. */
  readonly certificateAuthority: string;
  /** The range of services, where the system asks for it. */
  readonly serviceCidr?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly kubelet: KubeletSettings;
  /** The instance's own disks are joined and hold pods. */
  readonly usesInstanceStorage: boolean;
}

export interface KubeletSettings {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly systemReserved: Readonly<Record<string, string>>;
  readonly kubeReserved: Readonly<Record<string, string>>;
  readonly evictionHard: Readonly<Record<string, string>>;
}

/** Why a machine cannot make sense of its user data, as its console would show it. */
export class UnusableUserData extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableUserData';
  }
}
