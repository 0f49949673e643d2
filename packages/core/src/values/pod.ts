import type { QuantityTexts } from './resource-list.ts';
import type { Toleration } from './taints.ts';

/**
 * The fields of a Pod that this folder reads, named as in Kubernetes' JSON. Any richer Pod type is
 * assignable.
 */
export interface PodLike {
  readonly metadata?: ObjectMetaLike;
  readonly spec?: PodSpecLike;
  readonly status?: PodStatusLike;
}

interface ObjectMetaLike {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface PodSpecLike {
  readonly containers: readonly ContainerLike[];
  readonly initContainers?: readonly ContainerLike[];
  /** Added by the RuntimeClass to the containers. */
  readonly overhead?: QuantityTexts;
  /** Pod-level requests and limits. */
  readonly resources?: ResourceRequirementsLike;
  readonly tolerations?: readonly Toleration[];
  readonly hostNetwork?: boolean;
}

export interface ContainerLike {
  readonly name?: string;
  readonly resources?: ResourceRequirementsLike;
  readonly ports?: readonly ContainerPortLike[];
  /** `Always` on an init container makes it a sidecar. */
  readonly restartPolicy?: string;
}

export interface ResourceRequirementsLike {
  readonly requests?: QuantityTexts;
  readonly limits?: QuantityTexts;
  /** Resource claims of the pod that the container uses. */
  readonly claims?: readonly object[];
}

export interface ContainerPortLike {
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

export interface PodStatusLike {
  readonly phase?: string;
  readonly conditions?: readonly PodConditionLike[];
  readonly containerStatuses?: readonly ContainerStatusLike[];
  readonly initContainerStatuses?: readonly ContainerStatusLike[];
  /** Pod-level resources in force, possibly during a resize. */
  readonly resources?: ResourceRequirementsLike;
  readonly allocatedResources?: QuantityTexts;
  /** Resource claims generated for the pod, by the pod's name for each. */
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatusLike[];
}

export interface PodResourceClaimStatusLike {
  readonly name: string;
  /** Absent if no claim was needed. */
  readonly resourceClaimName?: string;
}

interface PodConditionLike {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

export interface ContainerStatusLike {
  readonly name?: string;
  /** In force for the running container. */
  readonly resources?: ResourceRequirementsLike;
  /** Allocated by the kubelet. */
  readonly allocatedResources?: QuantityTexts;
}
