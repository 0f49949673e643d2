import {
  isRestrictedLabel,
  labelKeys,
  type NodePool,
  restrictedLabelError,
  type TaintSpec,
} from '../api/index.ts';
import { type RequirementItem, type RequirementPolicy, requirementProblems } from '../requirements/index.ts';
import { labelValueProblems, qualifiedNameProblems } from '../values/index.ts';

/** What is wrong with a field of an object. */
export interface FieldProblem {
  /** Path of the field, such as `spec.template.spec.taints[0].key`. */
  readonly field: string;
  readonly value: unknown;
  /** Why, for a reader who sees field and value. */
  readonly reason: string;
  /**
   * Karpenter's message for the condition ValidationSucceeded. Absent where Karpenter has none, and where the
   * message of the problem before includes this one.
   */
  readonly message?: string;
}

/** The parts that the spec of a NodeClaim and the template of a NodePool share, and where they are. */
interface PathedSpec {
  readonly path: string;
  readonly spec: {
    readonly taints?: readonly TaintSpec[] | undefined;
    readonly startupTaints?: readonly TaintSpec[] | undefined;
    readonly requirements: readonly RequirementItem[];
  };
}

const templatePath = 'spec.template';

/** Validates what the CRD schema cannot, with Karpenter's messages. Empty if the pool is valid. */
export function nodePoolErrors(
  nodePool: Pick<NodePool, 'spec'>,
  policy: RequirementPolicy,
): readonly string[] {
  return nodePoolProblems(nodePool, policy).flatMap(({ message }) => message ?? []);
}

/** As `nodePoolErrors`, with the field of each problem. */
export function nodePoolProblems(
  { spec }: Pick<NodePool, 'spec'>,
  policy: RequirementPolicy,
): readonly FieldProblem[] {
  const { metadata, spec: template } = spec.template;
  const labels = Object.entries(metadata?.labels ?? {});
  return [
    ...labels.flatMap((label) => labelProblems(label, policy)),
    ...specProblems({ path: `${templatePath}.spec`, spec: template }, policy, isOwnLabel),
  ];
}

/** Validates taints and requirements. `isReserved` names keys that requirements of the kind may not use. */
export function specProblems(
  { path, spec }: PathedSpec,
  policy: RequirementPolicy,
  isReserved: (key: string) => boolean = () => false,
): readonly FieldProblem[] {
  const taints = [
    ...locatedTaints(spec.taints, path, 'taints'),
    ...locatedTaints(spec.startupTaints, path, 'startupTaints'),
  ];
  return [
    ...taints.flatMap(taintProblems),
    ...duplicateProblems(taints),
    ...spec.requirements.flatMap((item, index) => {
      const field = `${path}.requirements[${index}]`;
      return isReserved(item.key) ? [reservedKey(field, item)] : itemProblems(field, item, policy);
    }),
  ];
}

/** The NodePool sets it on everything that is created from it. */
function isOwnLabel(key: string): boolean {
  return key === labelKeys.nodePool;
}

function labelProblems(
  [key, value]: readonly [string, string],
  policy: RequirementPolicy,
): readonly FieldProblem[] {
  const field = `${templatePath}.metadata.labels`;
  const invalidKey = (reason: string, quoted = reason): FieldProblem => ({
    field,
    value: key,
    reason,
    message: `invalid key name ${JSON.stringify(key)} in labels, ${quoted}`,
  });
  if (isOwnLabel(key)) return [invalidKey('restricted')];
  return [
    ...qualifiedNameProblems(key).map((problem) => invalidKey(problem, JSON.stringify(problem))),
    ...labelValueProblems(value).map((reason) => ({
      field: `${field}[${key}]`,
      value,
      reason,
      message: `invalid value: ${value} for label[${key}], ${reason}`,
    })),
    ...(isRestrictedLabel(key, policy) ? [invalidKey(restrictedLabelError(key, policy))] : []),
  ];
}

interface LocatedTaint {
  readonly taint: TaintSpec;
  readonly list: string;
  readonly field: string;
}

function locatedTaints(
  taints: readonly TaintSpec[] = [],
  path: string,
  list: string,
): readonly LocatedTaint[] {
  return taints.map((taint, index) => ({ taint, list, field: `${path}.${list}[${index}]` }));
}

function taintProblems({ taint: { key, value = '' }, list, field }: LocatedTaint): readonly FieldProblem[] {
  const problem = (part: 'key' | 'value', text: string) => (reason: string) => ({
    field: `${field}.${part}`,
    value: text,
    reason,
    message: `invalid value: ${reason} in ${list}`,
  });
  return [
    ...qualifiedNameProblems(key).map(problem('key', key)),
    ...(value === '' ? [] : qualifiedNameProblems(value).map(problem('value', value))),
  ];
}

function duplicateProblems(taints: readonly LocatedTaint[]): readonly FieldProblem[] {
  const seen = new Map<string, string>();
  return taints.flatMap(({ taint: { key, effect }, field }) => {
    const pair = `${key}=${effect}`;
    const first = seen.get(pair);
    if (first === undefined) {
      seen.set(pair, field);
      return [];
    }
    const reason = `has the key and effect of ${first}; remove one of the two`;
    return [{ field, value: pair, reason, message: `duplicate taint Key/Effect pair ${pair}` }];
  });
}

function reservedKey(field: string, { key }: RequirementItem): FieldProblem {
  return {
    field: `${field}.key`,
    value: key,
    reason: 'restricted',
    message: `invalid key: ${JSON.stringify(key)} in requirements, restricted`,
  };
}

function itemProblems(
  field: string,
  item: RequirementItem,
  policy: RequirementPolicy,
): readonly FieldProblem[] {
  const problems = requirementProblems(item, policy);
  const joined = problems.map(({ message }) => message).join('; ');
  const message = `invalid value: ${joined} in requirements, restricted`;
  return problems.map((problem, index) => ({
    field: `${field}.${problem.field}`,
    value: item[problem.field],
    reason: problem.message,
    ...(index === 0 && { message }),
  }));
}
