import { compileLabelSelector, type Labels } from '@karpenter/core/values';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

/** What tells a pod from others to selectors; pods with the same `text` look alike to all of them. */
export interface PodIdentity {
  readonly namespace: string;
  readonly labels: Labels;
  readonly text: string;
}

/** Which pods are meant. Selections with the same key mean the same pods. */
export interface PodSelection {
  readonly key: string;
  /** Whether namespaces are chosen by their labels, so that a change of those changes the selection. */
  readonly readsNamespaceLabels: boolean;
  /** Pods that are on their way out are not meant. */
  readonly onlyStaying: boolean;
  selects(pod: PodIdentity, namespaceLabels: NamespaceLabels): boolean;
}

export type NamespaceLabels = (namespace: string) => Labels;

export function identityOf(namespace: string, labels: Labels): PodIdentity {
  return { namespace, labels, text: `${namespace}\n${canonicalText(labels)}` };
}

/** JSON with the keys in order, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export interface PodQuestion {
  readonly namespaces: readonly string[];
  readonly namespaceSelector?: LabelSelector | undefined;
  /** Selects nothing when absent. */
  readonly labelSelector: LabelSelector | undefined;
  readonly onlyStaying?: boolean;
}

export function podSelection(question: PodQuestion): PodSelection {
  const { namespaces, namespaceSelector, labelSelector } = question;
  const named = new Set(namespaces);
  const selectsNamespace = compileLabelSelector(namespaceSelector);
  const selectsPod = compileLabelSelector(labelSelector);
  return {
    key: canonicalText({ ...question, namespaces: [...named].sort() }),
    readsNamespaceLabels: namespaceSelector !== undefined,
    onlyStaying: question.onlyStaying ?? false,
    selects: ({ namespace, labels }, namespaceLabels) =>
      selectsPod(labels) &&
      (named.has(namespace) ||
        (namespaceSelector !== undefined && selectsNamespace(namespaceLabels(namespace)))),
  };
}

/** Pods that each of the selections means. */
export function allOf(selections: readonly PodSelection[]): PodSelection {
  const [first] = selections;
  if (selections.length === 1 && first !== undefined) return first;
  return {
    key: selections.map(({ key }) => key).join('&'),
    readsNamespaceLabels: selections.some(({ readsNamespaceLabels }) => readsNamespaceLabels),
    onlyStaying: selections.some(({ onlyStaying }) => onlyStaying),
    selects: (pod, namespaceLabels) =>
      selections.every((selection) => selection.selects(pod, namespaceLabels)),
  };
}

/**
 * The selector with the pod's own values of some labels added. Newer API servers have already written them
 * into the selector, which then says the same thing twice.
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
