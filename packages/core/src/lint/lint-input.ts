import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { LabelKeySet, NodeConstraints, Vocabulary } from '../requirements/index.ts';
import type { LabelSelector, Labels, Quantity, Toleration } from '../values/index.ts';

export interface LintedPool {
  readonly nodePool: NodePool;
  /** Those that its requirements allow, with only the offerings that they allow. */
  readonly types: readonly InstanceType[];
  /** False if the requirements ask for what only the account can tell, such as a capacity reservation. */
  readonly hasKnownTypes: boolean;
  /** Whether its NodeClass is known. Undefined if no class is. */
  readonly hasClass?: boolean | undefined;
}

export interface LintedWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  /** 1 for a Pod. */
  readonly replicas: number;
  /** Of one of its pods. */
  readonly cpu: Quantity;
  readonly spec: NodeConstraints & { readonly tolerations?: readonly Toleration[] | undefined };
}

export interface LintedBudget {
  readonly namespace: string;
  readonly name: string;
  readonly selector?: LabelSelector | undefined;
  /** A number, or a text such as `10%`. */
  readonly minAvailable?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
}

/** The objects of some files. Rules about pods say nothing where there are no workloads. */
export interface LintInput {
  readonly pools: readonly LintedPool[];
  readonly workloads: readonly LintedWorkload[];
  readonly budgets: readonly LintedBudget[];
  readonly vocabulary: Vocabulary;
  /** Labels that a NodePool need not name for pods to ask for them. */
  readonly wellKnown: LabelKeySet;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function poolSubject({ nodePool }: LintedPool): string {
  return `NodePool ${nodePool.metadata.name}`;
}

export function workloadText({ kind, namespace, name }: LintedWorkload): string {
  return `${kind} ${namespace}/${name}`;
}
