import type { RequirementItem } from '@karpenter/core/requirements';
import type { LabelSelector, PodSpecLike } from '@karpenter/core/values';

/** The fields of a pod spec that placement reads, as in the JSON of Kubernetes. */
export interface ConstrainedSpec extends PodSpecLike {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: AffinitySpec;
  readonly topologySpreadConstraints?: readonly SpreadSpec[];
  readonly resourceClaims?: readonly unknown[];
}

interface AffinitySpec {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly NodeTermSpec[];
    };
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight: number;
      readonly preference: NodeTermSpec;
    }[];
  };
  readonly podAffinity?: PodAffinitySpec;
  readonly podAntiAffinity?: PodAffinitySpec;
}

export interface NodeTermSpec {
  readonly matchExpressions?: readonly RequirementItem[];
  readonly matchFields?: readonly RequirementItem[];
}

export interface PodAffinitySpec {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTermSpec[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodTermSpec;
  }[];
}

export interface PodTermSpec {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface SpreadSpec {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}
