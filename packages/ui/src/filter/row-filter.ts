import type { PageNode, PagePod } from '@karpenter/core/page-api';

/** Which rows the filter text keeps. Words are joined by "and". */
export interface RowFilter {
  readonly isEmpty: boolean;
  readonly matchesNode: (node: PageNode) => boolean;
  /** A word may match the pod or the node it is on. */
  readonly matchesPod: (pod: PagePod, node: PageNode | undefined) => boolean;
}

interface FilterTerm {
  readonly matchesNode: (node: PageNode) => boolean;
  readonly matchesPod: (pod: PagePod) => boolean;
}

/**
 * As in kube-ops-view: `key=value` compares a label exactly, any other word is part of a name. Some keys name fields
 * instead of labels: `namespace`, `phase`, `pool`, `zone`, `type`, `capacity`, `workload`. Upper and lower case are
 * the same.
 */
export function parseFilter(text: string): RowFilter {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean).map(termOf);
  return {
    isEmpty: terms.length === 0,
    matchesNode: (node) => terms.every((term) => term.matchesNode(node)),
    matchesPod: (pod, node) =>
      terms.every((term) => term.matchesPod(pod) || (node !== undefined && term.matchesNode(node))),
  };
}

function termOf(word: string): FilterTerm {
  const equals = word.indexOf('=');
  return equals > 0 ? fieldTerm(word.slice(0, equals), word.slice(equals + 1)) : nameTerm(word);
}

function nameTerm(word: string): FilterTerm {
  return {
    matchesNode: ({ name, nodePool, instanceType }) =>
      [name, nodePool, instanceType].some((text) => contains(text, word)),
    matchesPod: ({ name, namespace, workload }) =>
      [name, namespace, workload.name].some((text) => contains(text, word)),
  };
}

function fieldTerm(key: string, value: string): FilterTerm {
  const nodeField = nodeFields[key];
  const podField = podFields[key];
  if (nodeField === undefined && podField === undefined)
    return {
      matchesNode: ({ labels }) => hasLabel(labels, key, value),
      matchesPod: ({ labels }) => hasLabel(labels, key, value),
    };
  return {
    matchesNode: (node) => nodeField?.(node)?.toLowerCase() === value,
    matchesPod: (pod) => podField?.(pod)?.toLowerCase() === value,
  };
}

const nodeFields: Readonly<Record<string, (node: PageNode) => string | undefined>> = {
  phase: ({ phase }) => phase,
  pool: ({ nodePool }) => nodePool,
  nodepool: ({ nodePool }) => nodePool,
  zone: ({ zone }) => zone,
  type: ({ instanceType }) => instanceType,
  capacity: ({ capacityType }) => capacityType,
  node: ({ name }) => name,
};

const podFields: Readonly<Record<string, (pod: PagePod) => string | undefined>> = {
  namespace: ({ namespace }) => namespace,
  phase: ({ phase }) => phase,
  workload: ({ workload }) => workload.name,
  node: ({ nodeName }) => nodeName,
};

function hasLabel(labels: Readonly<Record<string, string>>, key: string, value: string): boolean {
  return Object.entries(labels).some(
    ([name, text]) => name.toLowerCase() === key && text.toLowerCase() === value,
  );
}

function contains(text: string | undefined, word: string): boolean {
  return text?.toLowerCase().includes(word) === true;
}
