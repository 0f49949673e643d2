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

export type PodSpec = NonNullable<PodView['spec']>;

/** `metadata` as people write it. */
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

/** A NodeClaim of which everything may be left out that the API server would demand. */
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
    /** Labels alone for a ReplicationController. */
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

/** The kind of the object that made it and keeps it alive. */
export function controllerOf(metadata: WrittenMetadata | undefined): OwnerReference | undefined {
  const owners = metadata?.ownerReferences ?? [];
  return owners.find(({ controller }) => controller === true) ?? owners[0];
}

export function isDaemon({ metadata }: WrittenPod): boolean {
  return controllerOf(metadata)?.kind === 'DaemonSet';
}
