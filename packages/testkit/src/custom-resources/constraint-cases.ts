import type { CustomResourceDefinition, Json, JsonObject } from '@karpenter/core/schema';
import { type Constraint, constraintName, constraintsOf, type Keyword } from './constraints.ts';
import { coreRuleCases } from './core-rule-cases.ts';
import { ec2RuleCases } from './ec2-rule-cases.ts';
import { at, locate, type PropertyPath, pathText, withValueAt } from './json-path.ts';
import { samples } from './samples.ts';

/** An object that the API server must reject, and words that must be among the causes. */
export interface RefusalCase {
  readonly title: string;
  readonly object: JsonObject;
  /** The stored object that it replaces; absent for a create. */
  readonly oldObject?: JsonObject;
  readonly field: string;
  readonly message: string | RegExp;
}

const ruleCases = [...coreRuleCases, ...ec2RuleCases];

/** How the API server words each violated constraint. */
const refusals: Readonly<Record<Exclude<Keyword, 'rule'>, (demand: string | number) => RegExp>> = {
  type: (type) => new RegExp(`must be of type ${type}`),
  pattern: () => /in body should match '/,
  minLength: (least) => new RegExp(`should be at least ${least} chars long`),
  maxLength: (most) => new RegExp(`Too long: may not be more than ${most} bytes`),
  minimum: (least) => new RegExp(`should be greater than or equal to ${least}`),
  maximum: (most) => new RegExp(`should be less than or equal to ${most}`),
  minItems: (least) => new RegExp(`should have at least ${least} items`),
  maxItems: (most) => new RegExp(`Too many: ${Number(most) + 1}: must have at most ${most} items`),
  maxProperties: (most) => new RegExp(`Too many: ${Number(most) + 1}: must have at most ${most} items`),
  format: (format) => new RegExp(`must be of type ${format}`),
  enum: () => /Unsupported value: "none of these": supported values: /,
  required: () => /Required value/,
  listType: () => /Duplicate value/,
};

/**
 * One object per constraint of the definition that violates it: derived from a sample, or for rules from the
 * table.
 */
export function refusalCases(definition: CustomResourceDefinition): readonly RefusalCase[] {
  return constraintsToBreak(definition).flatMap((constraint) => {
    if (constraint.keyword === 'rule') return [ruleCase(definition, constraint)];
    const place = placeFor(definition, constraint);
    return place === undefined ? [] : [derivedCase(constraint, place)];
  });
}

/** Constraints for which no accepted sample has a value; they would go untested. */
export function unmetConstraints(definition: CustomResourceDefinition): readonly string[] {
  return constraintsToBreak(definition)
    .filter((constraint) => placeFor(definition, constraint) === undefined)
    .map(constraintName);
}

function constraintsToBreak(definition: CustomResourceDefinition): readonly Constraint[] {
  const schema = definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  return constraintsOf(schema).filter(({ steps }) => steps[0] === 'spec' || steps[0] === 'status');
}

interface Place {
  readonly object: JsonObject;
  readonly path: PropertyPath;
}

function placeFor(definition: CustomResourceDefinition, { steps }: Constraint): Place | undefined {
  for (const { object } of samples) {
    const path = object['kind'] === definition.spec.names.kind ? locate(object, steps) : undefined;
    if (path !== undefined) return { object, path };
  }
  return undefined;
}

function derivedCase(constraint: Constraint, { object, path }: Place): RefusalCase {
  const keyword = constraint.keyword as Exclude<Keyword, 'rule'>;
  const broken = keyword === 'required' ? [...path, String(constraint.demand)] : path;
  const field = keyword === 'listType' ? [...path, 1] : broken;
  return {
    title: constraintName(constraint),
    object: withValueAt(object, broken, breaking(constraint, at(object, path))),
    field: pathText(field),
    message: refusals[keyword](constraint.demand),
  };
}

function ruleCase(definition: CustomResourceDefinition, constraint: Constraint): RefusalCase {
  const { kind } = definition.spec.names;
  const path = constraint.steps.join('.').replaceAll('.[]', '[]');
  const found = ruleCases.find(
    (rule) => rule.kind === kind && rule.path === path && rule.message === constraint.demand,
  );
  if (found === undefined) throw new RangeError(`no case breaks ${kind} ${constraintName(constraint)}`);
  const { sample, change, update, field, message } = found;
  const object = change(sample);
  return {
    title: constraintName(constraint),
    object,
    ...(update === true ? { oldObject: sample } : {}),
    field,
    message,
  };
}

/** A value that violates the constraint, made from one that meets it. */
function breaking({ keyword, demand }: Constraint, met: Json | undefined): Json | undefined {
  const limit = Number(demand);
  switch (keyword) {
    case 'type':
      return demand === 'string' || demand === 'date-time' ? 7 : 'text';
    case 'pattern':
      return unmatched(String(demand));
    case 'minLength':
      return 'x'.repeat(limit - 1);
    case 'maxLength':
      return 'x'.repeat(limit + 1);
    case 'minimum':
      return limit - 1;
    case 'maximum':
      return limit + 1;
    case 'minItems':
      return [];
    case 'maxItems':
      return Array.from({ length: limit + 1 }, () => (met as readonly Json[])[0] ?? {});
    case 'maxProperties':
      return Object.fromEntries(Array.from({ length: limit + 1 }, (_, index) => [`k${index}`, 'v']));
    case 'format':
      return 'yesterday';
    case 'listType':
      return [(met as readonly Json[])[0] ?? null, (met as readonly Json[])[0] ?? null];
    case 'enum':
      return 'none of these';
    default:
      return undefined;
  }
}

function unmatched(pattern: string): string {
  const found = ['not right!', '', '!', 'a/b'].find((text) => !new RegExp(pattern, 'u').test(text));
  if (found === undefined) throw new RangeError(`no text breaks the pattern ${pattern}`);
  return found;
}
