import type { NodeAffinity } from '../requirements/index.ts';
import type { LabelSelector, PodSpecLike } from '../values/index.ts';
import type { PodVolume } from './volumes/storage.ts';

/** The fields of a pod spec that placement reads, spelt as in the API. */
export interface PodSpecView extends PodSpecLike {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: NodeAffinity;
    readonly podAffinity?: PodAffinity;
    readonly podAntiAffinity?: PodAffinity;
  };
  readonly topologySpreadConstraints?: readonly SpreadConstraint[];
  readonly volumes?: readonly PodVolume[];
  /** Claims on devices (dynamic resource allocation). */
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly priority?: number;
}

/** Refers to a ResourceClaim, or to a template from which Kubernetes creates one for each pod. */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface WeightedPodAffinityTerm {
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}
