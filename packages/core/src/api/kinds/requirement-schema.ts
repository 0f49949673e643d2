import {
  array,
  enumeration,
  type Infer,
  integer,
  object,
  required,
  type Schema,
  string,
  stringItem,
  type ValidationRule,
} from '../../schema/index.ts';
import { labelValuePattern, qualifiedNamePattern } from './patterns.ts';

/** In the order in which the API server lists them in its error message. */
const requirementOperators = ['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
export type RequirementOperator = (typeof requirementOperators)[number];

const key = (rules: readonly ValidationRule[]) =>
  required(
    string('The node label that the requirement is about.', {
      maxLength: 316,
      pattern: qualifiedNamePattern,
      rules,
    }),
  );

const operator = required(
  enumeration(
    'How the label relates to the values: `In` or `NotIn` the list, `Exists` or `DoesNotExist` (no values), or greater or less than a single integer (`Gt`, `Lt`; `Gte` and `Lte` include it).',
    requirementOperators,
  ),
);

/**
 * As in Karpenter's CRD the limits are on the list, not on its items, so they check nothing; clients that
 * read the CRD see the same.
 */
const values: Schema<readonly string[]> = {
  json: {
    ...array(
      'The values to compare with: one or more for `In` and `NotIn`, none for `Exists` and `DoesNotExist`, exactly one integer for the comparisons.',
      stringItem(),
      { listType: 'atomic' },
    ).json,
    maxLength: 63,
    pattern: labelValuePattern,
  },
};

const inHasValues: ValidationRule = {
  rule: `self.all(r, r.operator != 'In' || r.values.size() > 0)`,
  message: `requirements with operator 'In' must have a value defined`,
};

const notInHasValues: ValidationRule = {
  rule: `self.all(r, r.operator != 'NotIn' || r.values.size() > 0)`,
  message: `requirements with operator 'NotIn' must have a value defined`,
};

const comparisonHasInteger = (message: string): ValidationRule => ({
  rule: `self.all(r, !(r.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (r.values.size() == 1 && int(r.values[0]) >= 0))`,
  message,
});

const enoughValues: ValidationRule = {
  rule: `self.all(r, !(r.operator == 'In' && has(r.minValues)) || r.values.size() >= r.minValues)`,
  message: `requirements with 'minValues' must have at least that many values specified in the 'values' field`,
};

const requirement = (keyRules: readonly ValidationRule[]) =>
  object('A condition on one node label.', {
    key: key(keyRules),
    operator,
    values,
    minValues: integer(
      'Alpha. How many different values of the label the instance types of a NodeClaim must offer, so that there is a choice when capacity is short.',
      { minimum: 1, maximum: 50 },
    ),
  });

const plainRequirement = (keyRules: readonly ValidationRule[]) =>
  object('A condition on one node label.', { key: key(keyRules), operator, values });

export type RequirementField = Infer<ReturnType<typeof requirement>>;

/** The requirements of a NodePool or NodeClaim. */
export function requirementList(description: string, keyRules: readonly ValidationRule[]) {
  return array(description, requirement(keyRules), {
    maxItems: 100,
    listType: 'atomic',
    rules: [
      inHasValues,
      comparisonHasInteger(
        `requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value`,
      ),
      enoughValues,
    ],
  });
}

/** The requirements of a NodeOverlay, which have no minValues. */
export function plainRequirementList(description: string, keyRules: readonly ValidationRule[]) {
  return array(description, plainRequirement(keyRules), {
    maxItems: 100,
    listType: 'atomic',
    rules: [
      inHasValues,
      comparisonHasInteger(
        `requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value`,
      ),
      notInHasValues,
    ],
  });
}
