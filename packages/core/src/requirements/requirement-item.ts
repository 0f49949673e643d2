import type { RequirementOperator } from '../api/index.ts';
import { invalidValue } from '../errors/index.ts';
import { maxInt64, minInt64, parseInt64 } from './int64.ts';
import { Requirement } from './requirement.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A requirement as in NodePools, NodeClaims and node selector terms. */
export interface RequirementItem {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
  readonly minValues?: number | undefined;
}

/** A requirement as this program writes it, without empty fields. */
export interface WrittenRequirement {
  readonly key: string;
  readonly operator: RequirementOperator;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

export const requirementOperators: readonly RequirementOperator[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'Gte',
  'Lte',
];

/**
 * Parses one item. Throws `invalid-requirement` for an unknown operator or bound; `field` is its place for
 * the message.
 */
export function requirementFromItem(
  vocabulary: Vocabulary,
  item: RequirementItem,
  field = 'requirement',
): Requirement {
  const key = vocabulary.key(item.key);
  const { values = [], minValues } = item;
  switch (item.operator) {
    case 'In':
      return Requirement.in(key, values, minValues);
    case 'NotIn':
      return Requirement.notIn(key, values, minValues);
    case 'Exists':
      return Requirement.exists(key, minValues);
    case 'DoesNotExist':
      return Requirement.doesNotExist(key, minValues);
    case 'Gte':
      return Requirement.between(key, integerOf(item, field), undefined, minValues);
    case 'Lte':
      return Requirement.between(key, undefined, integerOf(item, field), minValues);
    case 'Gt':
      return above(vocabulary, item, field);
    case 'Lt':
      return below(vocabulary, item, field);
    default:
      throw invalidValue({
        code: 'invalid-requirement',
        field: `${field}.operator`,
        value: item.operator,
        expected: 'a requirement operator',
        advice: `write one of ${requirementOperators.join(', ')}`,
      });
  }
}

/**
 * Formats a requirement as items, two if it has both bounds. Excluded values of a bounded requirement are
 * lost, since no operator can express both; Gt and Lt become Gte and Lte.
 */
export function requirementItems(requirement: Requirement): WrittenRequirement[] {
  const { key, gte, lte, operator, minValues } = requirement;
  const rest = minValues === undefined ? {} : { minValues };
  const items: WrittenRequirement[] = [];
  if (gte !== undefined) items.push({ key: key.name, operator: 'Gte', values: [String(gte)], ...rest });
  if (lte !== undefined) items.push({ key: key.name, operator: 'Lte', values: [String(lte)], ...rest });
  if (items.length > 0) return items;
  const values = requirement.values();
  return [{ key: key.name, operator, ...(values.length > 0 ? { values } : {}), ...rest }];
}

// No integer is above maxInt64 or below minInt64.
function above(vocabulary: Vocabulary, item: RequirementItem, field: string): Requirement {
  const key = vocabulary.key(item.key);
  const integer = integerOf(item, field);
  // As in Karpenter, nothing is above the largest integer of Go.
  if (integer === maxInt64) return Requirement.doesNotExist(key, item.minValues);
  return Requirement.between(key, integer + 1n, undefined, item.minValues);
}

function below(vocabulary: Vocabulary, item: RequirementItem, field: string): Requirement {
  const key = vocabulary.key(item.key);
  const integer = integerOf(item, field);
  if (integer === minInt64) return Requirement.doesNotExist(key, item.minValues);
  return Requirement.between(key, undefined, integer - 1n, item.minValues);
}

function integerOf(item: RequirementItem, field: string): bigint {
  const { values = [] } = item;
  const [only] = values;
  const integer = values.length === 1 && only !== undefined ? parseInt64(only) : undefined;
  if (integer !== undefined) return integer;
  throw invalidValue({
    code: 'invalid-requirement',
    field: `${field}.values`,
    value: values.join(', '),
    expected: `a bound for ${item.operator} on ${item.key}`,
    advice: 'write exactly one integer of at most 64 bits, such as "4"',
  });
}
