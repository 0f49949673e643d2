import type { LabelSelector, Labels } from '../values/index.ts';

/** Objects whose selectors tell which pods belong together, spelt as in Kubernetes' JSON. */
export interface SpreadSources {
  readonly services: readonly LabelSource[];
  readonly replicationControllers: readonly LabelSource[];
  readonly replicaSets: readonly SelectorSource[];
  readonly statefulSets: readonly SelectorSource[];
}

/** Selects by equal labels alone. */
export interface LabelSource {
  readonly metadata: ObjectName;
  readonly spec: { readonly selector?: Labels };
}

export interface SelectorSource {
  readonly metadata: ObjectName;
  readonly spec: { readonly selector?: LabelSelector };
}

export interface ObjectName {
  readonly name: string;
  readonly namespace: string;
}
