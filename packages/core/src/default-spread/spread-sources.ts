import type { LabelSelector, Labels } from '../values/index.ts';

/** Objects whose selectors define which pods belong together, with the field names of Kubernetes' JSON. */
export interface SpreadSources {
  readonly services: readonly LabelSource[];
  readonly replicationControllers: readonly LabelSource[];
  readonly replicaSets: readonly SelectorSource[];
  readonly statefulSets: readonly SelectorSource[];
}

/** Has a plain label selector, without expressions. */
export interface LabelSource {
  readonly metadata: NamespacedName;
  readonly spec: { readonly selector?: Labels };
}

export interface SelectorSource {
  readonly metadata: NamespacedName;
  readonly spec: { readonly selector?: LabelSelector };
}

export interface NamespacedName {
  readonly name: string;
  readonly namespace: string;
}
