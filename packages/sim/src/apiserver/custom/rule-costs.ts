import { type FieldError, hasRules, type JsonSchema } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { compileRule, largestRepetition } from '@karpenter/kube/cel';

/** kube-apiserver's limits on the estimated cost of one rule and of all rules of a schema. */
const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;

interface Place {
  readonly schema: JsonSchema;
  readonly path: string;
  /** How many values of this schema an object can have; undefined where a list or map has no limit. */
  readonly repetition: number | undefined;
}

interface RuleCost {
  readonly field: string;
  readonly cost: number;
}

/**
 * Finds rules that could cost too much on the largest objects that the schema allows. They are rejected when the
 * definition is written, so that no object can be too expensive to validate (ADR 0065).
 */
export function* ruleCostProblems(schema: JsonSchema, path: string): Steps<readonly FieldError[]> {
  const rules: RuleCost[] = [];
  yield* addCosts(rules, { schema, path, repetition: 1 });
  const total = rules.reduce((sum, { cost }) => sum + cost, 0);
  const tooExpensive = rules
    .filter(({ cost }) => cost > ruleLimit)
    .map(({ field, cost }) => exceeded(field, 'estimated rule cost', cost / ruleLimit));
  if (total <= schemaLimit) return tooExpensive;
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...tooExpensive, exceeded(path, name, total / schemaLimit)];
}

function exceeded(field: string, name: string, factor: number): FieldError {
  const detail =
    `${name} exceeds budget by factor of ${factorText(factor)} (try simplifying the rule, or adding maxItems, ` +
    'maxProperties, and maxLength where arrays, maps, and strings are declared)';
  return { type: 'Forbidden', field, detail };
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
}

function* addCosts(costs: RuleCost[], place: Place): Steps<void> {
  if (!hasRules(place.schema)) return;
  for (const cost of ownCosts(place)) costs.push(cost);
  yield;
  for (const below of placesBelow(place)) yield* addCosts(costs, below);
}

function ownCosts({ schema, path, repetition }: Place): readonly RuleCost[] {
  const times = repetition ?? largestRepetition(schema);
  return (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule }, index) => {
    const cost = costOf(rule, schema);
    if (cost === undefined) return [];
    return [{ field: `${path}.x-kubernetes-validations[${index}].rule`, cost: cost * times }];
  });
}

/** Undefined for a rule that does not compile, which has an error of its own. */
function costOf(rule: string, schema: JsonSchema): number | undefined {
  try {
    return compileRule(rule).costOn(schema);
  } catch {
    return undefined;
  }
}

function placesBelow({ schema, path, repetition }: Place): readonly Place[] {
  const times = (count: number | undefined) =>
    count === undefined || repetition === undefined ? undefined : count * repetition;
  const { items, additionalProperties, maxItems, maxProperties } = schema;
  const members = Object.entries(schema.properties ?? {}).map(([name, each]) => ({
    schema: each,
    path: `${path}.properties[${name}]`,
    repetition,
  }));
  if (items) members.push({ schema: items, path: `${path}.items`, repetition: times(maxItems) });
  if (typeof additionalProperties === 'object') {
    const below = `${path}.additionalProperties`;
    members.push({ schema: additionalProperties, path: below, repetition: times(maxProperties) });
  }
  return members;
}
