import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from 'kubernetes-types/core/v1.js';

export type NodePredicate = (node: Node) => boolean;

type TextPredicate = (value: string | undefined) => boolean;

function integerOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

function compares(
  bound: string | undefined,
  isWanted: (value: bigint, limit: bigint) => boolean,
): TextPredicate {
  const limit = integerOf(bound);
  return (text) => {
    const value = integerOf(text);
    return value !== undefined && limit !== undefined && isWanted(value, limit);
  };
}

function valuePredicate({ operator, values = [] }: NodeSelectorRequirement): TextPredicate {
  const accepted = new Set(values);
  switch (operator) {
    case 'In':
      return (value) => value !== undefined && accepted.has(value);
    case 'NotIn':
      return (value) => value === undefined || !accepted.has(value);
    case 'Exists':
      return (value) => value !== undefined;
    case 'DoesNotExist':
      return (value) => value === undefined;
    case 'Gt':
      return compares(values[0], (value, limit) => value > limit);
    case 'Lt':
      return compares(values[0], (value, limit) => value < limit);
    default:
      return () => false;
  }
}

function labelRequirement(requirement: NodeSelectorRequirement): NodePredicate {
  const accepts = valuePredicate(requirement);
  return ({ metadata }) => accepts(metadata?.labels?.[requirement.key]);
}

/** `metadata.name` is the only field that Kubernetes supports. */
function fieldRequirement(requirement: NodeSelectorRequirement): NodePredicate {
  const accepts = valuePredicate(requirement);
  return ({ metadata }) => requirement.key === 'metadata.name' && accepts(metadata?.name);
}

/** All requirements of a term must hold; an empty term selects no node, as in Kubernetes. */
export function termPredicate({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodePredicate {
  const requirements = [...matchExpressions.map(labelRequirement), ...matchFields.map(fieldRequirement)];
  if (requirements.length === 0) return () => false;
  return (node) => requirements.every((holds) => holds(node));
}

/** At least one term must hold. */
export function selectorPredicate({ nodeSelectorTerms }: NodeSelector): NodePredicate {
  const terms = nodeSelectorTerms.map(termPredicate);
  return (node) => terms.some((holds) => holds(node));
}

function labelsPredicate(labels: Readonly<Record<string, string>>): NodePredicate {
  const wanted = Object.entries(labels);
  return ({ metadata }) => wanted.every(([key, value]) => metadata?.labels?.[key] === value);
}

/** The nodeSelector and the required node affinity; undefined if the pod has neither. */
export function requiredNodes({ spec }: Pod): NodePredicate | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const predicates = [
    ...(Object.keys(spec?.nodeSelector ?? {}).length > 0 ? [labelsPredicate(spec?.nodeSelector ?? {})] : []),
    ...(required === undefined ? [] : [selectorPredicate(required)]),
  ];
  return predicates.length === 0 ? undefined : (node) => predicates.every((holds) => holds(node));
}

/**
 * The node names that the required affinity allows, if each of its terms restricts metadata.name: the pod of
 * a DaemonSet is for one node, and the filters can skip all others.
 */
export function namedNodes({ spec }: Pod): ReadonlySet<string> | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return undefined;
  const names = required.nodeSelectorTerms.map(namesOfTerm);
  return names.every((some) => some !== undefined) ? new Set(names.flat()) : undefined;
}

function namesOfTerm({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  const sets = matchFields
    .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
    .map(({ values = [] }) => values);
  const [first, ...others] = sets;
  return first?.filter((name) => others.every((names) => names.includes(name)));
}
