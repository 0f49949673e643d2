import type { NodeClaim } from '@karpenter/core/api';
import type { PodView } from '@karpenter/core/scheduling';
import type {
  LabelSelector,
  Labels,
  OwnerReference,
  PodLike,
  PodStatusLike,
  QuantityTexts,
  Taint,
} from '@karpenter/core/values';

type PodSpec = NonNullable<PodView['spec']>;

/** `metadata` as users write it: everything is optional, unlike in objects that the API server returns. */
export interface WrittenMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface WrittenPod extends PodLike {
  readonly metadata?: WrittenMetadata;
  readonly spec: PodSpec & {
    readonly nodeName?: string;
    readonly schedulingGates?: readonly unknown[];
  };
  readonly status?: PodStatusLike & { readonly nominatedNodeName?: string };
}

export interface WrittenNode {
  readonly metadata?: WrittenMetadata;
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
  };
  readonly status?: { readonly capacity?: QuantityTexts; readonly allocatable?: QuantityTexts };
}

/** A NodeClaim in which fields may be missing that the API server requires. */
export interface WrittenNodeClaim {
  readonly metadata?: WrittenMetadata;
  readonly spec?: Partial<NodeClaim['spec']>;
  readonly status?: NodeClaim['status'];
}

export interface WrittenWorkload {
  readonly metadata?: WrittenMetadata;
  readonly spec: {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly completions?: number;
    readonly suspend?: boolean;
    /** A ReplicationController has plain labels where the others have a LabelSelector. */
    readonly selector?: LabelSelector | Labels;
    readonly template: WrittenTemplate;
    readonly volumeClaimTemplates?: readonly WrittenClaim[];
  };
  readonly status?: { readonly succeeded?: number };
}

export interface WrittenTemplate {
  readonly metadata?: WrittenMetadata;
  readonly spec: PodSpec;
}

export interface WrittenClaim {
  readonly metadata?: WrittenMetadata;
  readonly spec: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

export const defaultNamespace = 'default';

/** The owner that controls the object; the first owner where none is marked as controller, as in manual manifests. */
export function controllerOf(metadata: WrittenMetadata | undefined): OwnerReference | undefined {
  const owners = metadata?.ownerReferences ?? [];
  return owners.find(({ controller }) => controller === true) ?? owners[0];
}
