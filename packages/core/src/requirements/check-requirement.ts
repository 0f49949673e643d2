import {
  capacityTypes,
  isRestrictedLabel,
  type LabelPolicy,
  labelKeys,
  normalizeLabel,
  restrictedLabelError,
} from '../api/index.ts';
import { labelValueProblems, qualifiedNameProblems } from '../values/index.ts';
import { parseInt64 } from './int64.ts';
import { type RequirementItem, requirementOperators } from './requirement-item.ts';

/** Which labels requirements may use, and which values. */
export interface RequirementPolicy extends LabelPolicy {
  /**
   * Keys with a fixed set of values, such as the capacity type. Unknown values beside known ones only warn.
   */
  readonly knownValues: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The policy for requirements on these labels. */
export function requirementPolicy(labels: LabelPolicy): RequirementPolicy {
  return {
    ...labels,
    knownValues: new Map([[labelKeys.capacityType, new Set(Object.values(capacityTypes))]]),
  };
}

/** A list with known and unknown values, which is worth a warning but not an error. */
export interface MixedValues {
  readonly key: string;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

interface Checked extends Required<Pick<RequirementItem, 'key' | 'operator'>> {
  readonly values: readonly string[];
  readonly minValues: number | undefined;
}

/** What is wrong with a requirement, and in which of its fields. */
export interface RequirementProblem {
  readonly field: 'key' | 'operator' | 'values';
  readonly message: string;
}

/** Validates a requirement of a NodePool or pod, with Karpenter's messages; empty if it is valid. */
export function checkRequirement(item: RequirementItem, policy: RequirementPolicy): string[] {
  return requirementProblems(item, policy).map(({ message }) => message);
}

/** As `checkRequirement`, with the field of each message. */
export function requirementProblems(
  item: RequirementItem,
  policy: RequirementPolicy,
): readonly RequirementProblem[] {
  const checked = normalized(item, policy);
  const isRestricted = isRestrictedLabel(checked.key, policy);
  return [
    ...inField('operator', operatorProblems(checked)),
    ...inField('key', isRestricted ? [restrictedLabelError(checked.key, policy)] : []),
    ...inField('values', knownValueProblems(checked, policy)),
    ...inField('key', keyProblems(checked)),
    ...inField('values', valueProblems(checked)),
    ...inField('values', valueCountProblems(checked)),
    ...inField('values', boundProblems(checked)),
  ];
}

function inField(
  field: RequirementProblem['field'],
  messages: readonly string[],
): readonly RequirementProblem[] {
  return messages.map((message) => ({ field, message }));
}

/** The known and unknown values of a list that has both. */
export function mixedKnownValues(item: RequirementItem, policy: RequirementPolicy): MixedValues | undefined {
  const checked = normalized(item, policy);
  const known = checked.operator === 'In' ? policy.knownValues.get(checked.key) : undefined;
  if (known === undefined) return undefined;
  const valid = checked.values.filter((value) => known.has(value));
  const invalid = checked.values.filter((value) => !known.has(value));
  return valid.length > 0 && invalid.length > 0 ? { key: checked.key, valid, invalid } : undefined;
}

function normalized(item: RequirementItem, policy: LabelPolicy): Checked {
  const { operator, values = [], minValues } = item;
  return { key: normalizeLabel(item.key, policy), operator, values, minValues };
}

function operatorProblems({ key, operator }: Checked): string[] {
  if (requirementOperators.some((known) => known === operator)) return [];
  return [`key ${key} has an unsupported operator ${operator} not in ${listText(requirementOperators)}`];
}

function knownValueProblems(
  { key, operator, values, minValues = 0 }: Checked,
  policy: RequirementPolicy,
): string[] {
  const known = operator === 'In' ? policy.knownValues.get(key) : undefined;
  if (known === undefined) return [];
  const expected = listText([...known].sort());
  const valid = values.filter((value) => known.has(value));
  if (valid.length === 0) {
    const all = listText(values);
    return [`no valid values found in ${all} for ${key}, expected one of: ${expected}, got: ${all}`];
  }
  if (valid.length >= minValues) return [];
  return [
    `not enough valid values found in ${listText(values)} for ${key}, ` +
      `expected at least ${minValues} valid values from: ${expected}, got: ${valid.length}`,
  ];
}

function keyProblems({ key }: Checked): string[] {
  return qualifiedNameProblems(key).map((problem) => `key ${key} is not a qualified name, ${problem}`);
}

function valueProblems({ key, values }: Checked): string[] {
  return values.flatMap((value) =>
    labelValueProblems(value).map((problem) => `invalid value ${value} for key ${key}, ${problem}`),
  );
}

function valueCountProblems({ key, operator, values, minValues = 0 }: Checked): string[] {
  if (operator !== 'In') return [];
  const problems: string[] = [];
  if (values.length === 0) problems.push(`key ${key} with operator ${operator} must have a value defined`);
  if (values.length < minValues) {
    problems.push(
      `key ${key} with operator ${operator} must have at least minimum number of values defined in 'values' field`,
    );
  }
  return problems;
}

function boundProblems({ key, operator, values }: Checked): string[] {
  if (!['Gt', 'Lt', 'Gte', 'Lte'].includes(operator)) return [];
  const [only] = values;
  const integer = values.length === 1 && only !== undefined ? parseInt64(only) : undefined;
  if (integer !== undefined && integer >= 0n) return [];
  return [`key ${key} with operator ${operator} must have a single positive integer value`];
}

function listText(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}
