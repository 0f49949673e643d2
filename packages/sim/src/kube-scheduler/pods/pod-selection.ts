import { compileLabelSelector, type Labels } from '@karpenter/core/values';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

/** What label selectors see of a pod; selectors cannot distinguish pods with the same `text`. */
export interface SelectablePod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly text: string;
}

/** A compiled selector of pods. Selections with the same key select the same pods. */
export interface PodSelection {
  readonly key: string;
  /** Whether it selects namespaces by label, so that a change of namespace labels changes the result. */
  readonly readsNamespaceLabels: boolean;
  /** Whether terminating pods do not count. */
  readonly excludesTerminating: boolean;
  selects(pod: SelectablePod, namespaceLabels: NamespaceLabelLookup): boolean;
}

export type NamespaceLabelLookup = (namespace: string) => Labels;

export function identityOf(namespace: string, labels: Labels): SelectablePod {
  return { namespace, labels, text: `${namespace}\n${canonicalText(labels)}` };
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export interface PodSelectionSpec {
  readonly namespaces: readonly string[];
  readonly namespaceSelector?: LabelSelector | undefined;
  /** Absent selects nothing, as in Kubernetes. */
  readonly labelSelector: LabelSelector | undefined;
  readonly excludesTerminating?: boolean;
}

export function podSelection(spec: PodSelectionSpec): PodSelection {
  const { namespaces, namespaceSelector, labelSelector } = spec;
  const named = new Set(namespaces);
  const selectsNamespace = compileLabelSelector(namespaceSelector);
  const selectsPod = compileLabelSelector(labelSelector);
  return {
    key: canonicalText({ ...spec, namespaces: [...named].sort() }),
    readsNamespaceLabels: namespaceSelector !== undefined,
    excludesTerminating: spec.excludesTerminating ?? false,
    selects: ({ namespace, labels }, namespaceLabels) =>
      selectsPod(labels) &&
      (named.has(namespace) ||
        (namespaceSelector !== undefined && selectsNamespace(namespaceLabels(namespace)))),
  };
}

/** The pods that all selections select. */
export function allOf(selections: readonly PodSelection[]): PodSelection {
  const [first] = selections;
  if (selections.length === 1 && first !== undefined) return first;
  return {
    key: selections.map(({ key }) => key).join('&'),
    readsNamespaceLabels: selections.some(({ readsNamespaceLabels }) => readsNamespaceLabels),
    excludesTerminating: selections.some(({ excludesTerminating }) => excludesTerminating),
    selects: (pod, namespaceLabels) =>
      selections.every((selection) => selection.selects(pod, namespaceLabels)),
  };
}

/**
 * Adds matchLabelKeys and mismatchLabelKeys to the selector, with the pod's own label values. Newer API
 * servers have already added them to the stored selector; repeating them changes nothing.
 */
export function withOwnLabels(
  selector: LabelSelector | undefined,
  labels: Labels,
  keys: { readonly same?: readonly string[] | undefined; readonly different?: readonly string[] | undefined },
): LabelSelector | undefined {
  if (selector === undefined) return undefined;
  const added = [
    ...expressions(labels, keys.same ?? [], 'In'),
    ...expressions(labels, keys.different ?? [], 'NotIn'),
  ];
  if (added.length === 0) return selector;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] };
}

function expressions(labels: Labels, keys: readonly string[], operator: string) {
  return keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
