import { type CodedError, invalidValue } from '../errors/index.ts';
import { labelValueProblems, qualifiedNameProblems } from './qualified-name.ts';

export type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values?: readonly string[];
}

export type LabelPredicate = (labels: Labels) => boolean;

interface Invalid {
  readonly field: string;
  readonly value: string;
  readonly expected: string;
  readonly advice: string;
}

function invalidSelector(invalid: Invalid): CodedError {
  return invalidValue({ code: 'invalid-selector', ...invalid });
}

function checkKey(key: string, field: string): void {
  const [advice] = qualifiedNameProblems(key);
  if (advice !== undefined) throw invalidSelector({ field, value: key, expected: 'a label key', advice });
}

function checkValue(value: string, field: string): void {
  const [advice] = labelValueProblems(value);
  if (advice !== undefined) throw invalidSelector({ field, value, expected: 'a label value', advice });
}

/** Represents a missing label in a set; no valid value equals it. */
const unlabelled = ' ';

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function compileSet({ key, operator, values = [] }: LabelSelectorRequirement, field: string): LabelPredicate {
  if (values.length === 0) {
    const advice = `give at least one value for operator ${operator}`;
    throw invalidSelector({
      field: `${field}.values`,
      value: '[]',
      expected: 'a set of label values',
      advice,
    });
  }
  values.forEach((value, index) => {
    checkValue(value, `${field}.values[${index}]`);
  });
  const accepted = new Set(values);
  if (operator === 'NotIn') return (labels) => !accepted.has(labelOf(labels, key) ?? unlabelled);
  return (labels) => accepted.has(labelOf(labels, key) ?? unlabelled);
}

function compilePresence(
  { key, operator, values = [] }: LabelSelectorRequirement,
  field: string,
): LabelPredicate {
  if (values.length > 0) {
    const value = JSON.stringify(values);
    const advice = `leave it out for operator ${operator}`;
    throw invalidSelector({ field: `${field}.values`, value, expected: 'empty', advice });
  }
  const isWanted = operator === 'Exists';
  return (labels) => (labelOf(labels, key) !== undefined) === isWanted;
}

function compileRequirement(requirement: LabelSelectorRequirement, field: string): LabelPredicate {
  checkKey(requirement.key, `${field}.key`);
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      return compileSet(requirement, field);
    case 'Exists':
    case 'DoesNotExist':
      return compilePresence(requirement, field);
    default:
      throw invalidSelector({
        field: `${field}.operator`,
        value: requirement.operator,
        expected: 'a label selector operator',
        advice: 'use In, NotIn, Exists or DoesNotExist',
      });
  }
}

function compileLabel(key: string, value: string, field: string): LabelPredicate {
  checkKey(key, field);
  checkValue(value, `${field}[${key}]`);
  return (labels) => labelOf(labels, key) === value;
}

/**
 * Compiles a selector to a predicate on labels. No selector selects nothing; an empty one selects everything.
 * Throws on an unknown operator or missing values.
 */
export function compileLabelSelector(
  selector: LabelSelector | undefined,
  field = 'labelSelector',
): LabelPredicate {
  if (selector === undefined) return () => false;
  const predicates = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
      compileLabel(key, value, `${field}.matchLabels`),
    ),
    ...(selector.matchExpressions ?? []).map((requirement, index) =>
      compileRequirement(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ];
  return (labels) => predicates.every((matches) => matches(labels));
}
