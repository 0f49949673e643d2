import {
  type FieldError,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  maxReportedErrors,
  member,
} from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { compileRule } from '@karpenter/kube/cel';
import { compilePattern } from '@karpenter/kube/patterns';
import { listOf, objectOf } from '../lenient-json.ts';
import { ruleCostProblems } from './rule-costs.ts';
import { defaultProblems } from './schema-default.ts';
import { listTypeProblems } from './schema-list-type.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * Keywords that define structure rather than constrain values. They are not allowed inside allOf, anyOf,
 * oneOf and not.
 */
const structure = [
  'type',
  'description',
  'title',
  'default',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
];

type Place = 'root' | 'field' | 'item';

const missingType: Readonly<Record<Place, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/**
 * Validates that a schema is structural: it specifies the type of every field. Pruning, defaulting and
 * publishing need that.
 */
export function* structuralProblems(schema: JsonObject, path: string): Steps<readonly FieldError[]> {
  const problems: FieldError[] = [];
  yield* addProblems(problems, ['', schema, 'root'], path);
  problems.push(...metadataProblems(schema, path));
  // Costs can be estimated only on a schema of which every part has the right type.
  return problems.length > 0 ? problems : yield* ruleCostProblems(schema as JsonSchema, path);
}

type Child = readonly [name: string, schema: JsonObject, place: Place];

/** One step for each schema, since each may have a pattern and rules to compile. */
function* addProblems(problems: FieldError[], [, schema, place]: Child, path: string): Steps<void> {
  for (const problem of ownProblems(schema, path, place)) problems.push(problem);
  yield;
  for (const child of childrenOf(schema)) {
    if (problems.length > maxReportedErrors) return;
    yield* addProblems(problems, child, `${path}.${child[0]}`);
  }
}

function ownProblems(schema: JsonObject, path: string, place: Place): readonly FieldError[] {
  return [
    ...typeProblems(schema, path, place),
    ...keywordProblems(schema, path),
    ...extensionProblems(schema, path),
    ...listTypeProblems(schema, path),
    ...ruleProblems(schema, path),
    ...defaultProblems(schema, path),
    ...alternativesOf(schema).flatMap(([name, each]) =>
      alternativeProblems(each, `${path}.${name}`, schema['x-kubernetes-int-or-string'] === true),
    ),
  ];
}

function typeProblems(schema: JsonObject, path: string, place: Place): FieldError[] {
  const { type } = schema;
  const field = `${path}.type`;
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['$ref'] !== undefined)
    return [{ type: 'Forbidden', field: `${path}.$ref`, detail: '$ref is not supported' }];
  if (type === undefined || type === '')
    return isOpen && place !== 'root' ? [] : [{ type: 'Required', field, detail: missingType[place] }];
  if (!types.includes(String(type))) {
    const detail = `supported values: ${types.map((each) => `"${each}"`).join(', ')}`;
    return [{ type: 'NotSupported', field, value: type, detail }];
  }
  if (place === 'root' && type !== 'object')
    return [{ type: 'Invalid', field, value: type, detail: 'must be object at the root' }];
  if (type === 'array' && schema['items'] === undefined)
    return [{ type: 'Required', field: `${path}.items`, detail: 'must be specified' }];
  return [];
}

function keywordProblems(schema: JsonObject, path: string): FieldError[] {
  const problems: FieldError[] = [];
  if (schema['uniqueItems'] === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    problems.push({ type: 'Forbidden', field: `${path}.uniqueItems`, detail });
  }
  if (schema['additionalProperties'] !== undefined && schema['properties'] !== undefined) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    problems.push({ type: 'Forbidden', field: `${path}.additionalProperties`, detail });
  }
  if (schema['additionalProperties'] === false) {
    const detail = 'additionalProperties cannot be set to false';
    problems.push({ type: 'Forbidden', field: `${path}.additionalProperties`, detail });
  }
  const { pattern } = schema;
  const fault = typeof pattern === 'string' ? patternFault(pattern) : undefined;
  if (pattern !== undefined && fault !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${fault}`;
    problems.push({ type: 'Invalid', field: `${path}.pattern`, value: pattern, detail });
  }
  return problems;
}

function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function ruleProblems(schema: JsonObject, path: string): FieldError[] {
  return listOf(schema['x-kubernetes-validations']).flatMap((each, index) => {
    const rule = String(member(each, 'rule') ?? '');
    const fault = ruleFault(rule);
    if (fault === undefined) return [];
    const field = `${path}.x-kubernetes-validations[${index}].rule`;
    return [{ type: 'Invalid', field, value: rule, detail: `compilation failed: ${fault}` }];
  });
}

function ruleFault(rule: string): string | undefined {
  try {
    compileRule(rule);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function extensionProblems(schema: JsonObject, path: string): FieldError[] {
  const problems: FieldError[] = [];
  const preserve = schema['x-kubernetes-preserve-unknown-fields'];
  if (preserve === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    problems.push({ type: 'Invalid', field, value: false, detail: 'must be true or undefined' });
  }
  const isEmpty = Object.keys(objectOf(schema['properties'])).length === 0;
  if (schema['x-kubernetes-embedded-resource'] === true && isEmpty && preserve !== true) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    problems.push({ type: 'Required', field: `${path}.properties`, detail });
  }
  return problems;
}

/** An int-or-string schema may repeat its types as `anyOf: [{type: integer}, {type: string}]`. */
function alternativeProblems(schema: JsonObject, path: string, mayHaveType: boolean): FieldError[] {
  const own = structure
    .filter((name) => schema[name] !== undefined && !(mayHaveType && name === 'type'))
    .map(
      (name): FieldError => ({
        type: 'Forbidden',
        field: `${path}.${name}`,
        detail: 'must be empty to be structural',
      }),
    );
  const below = [
    ...alternativesOf(schema).map(([name, each]) =>
      alternativeProblems(each, `${path}.${name}`, mayHaveType),
    ),
    ...childrenOf(schema).map(([name, each]) => alternativeProblems(each, `${path}.${name}`, false)),
  ];
  return [...own, ...below.flat()];
}

function metadataProblems(schema: JsonObject, path: string): FieldError[] {
  const metadata = objectOf(objectOf(schema['properties'])['metadata']);
  const others = Object.keys(objectOf(metadata['properties'])).filter(
    (name) => name !== 'name' && name !== 'generateName',
  );
  if (others.length === 0) return [];
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [{ type: 'Forbidden', field: `${path}.properties[metadata]`, detail }];
}

function alternativesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    listOf(schema[name]).map((each, index) => [`${name}[${index}]`, objectOf(each)] as const),
  );
  return schema['not'] === undefined ? lists : [...lists, ['not', objectOf(schema['not'])]];
}

function childrenOf(schema: JsonObject): readonly Child[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.entries(objectOf(properties)).map(
      ([name, child]) => [`properties[${name}]`, objectOf(child), 'field'] as const,
    ),
    ...(isJsonObject(items) ? [['items', items, 'item'] as const] : []),
    ...(isJsonObject(additionalProperties)
      ? [['additionalProperties', additionalProperties, 'field'] as const]
      : []),
  ];
}
