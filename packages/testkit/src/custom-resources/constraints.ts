import type { JsonSchema } from '@karpenter/core/schema';

/** One constraint of a schema, and its place. */
export interface Constraint {
  /** Steps from the root: a property name, `[]` for the items of a list, `{}` for the values of a map. */
  readonly steps: readonly string[];
  readonly keyword: Keyword;
  /** The bound, the pattern, the name of the required property, or the message of the rule. */
  readonly demand: string | number;
}

const scalarKeywords = [
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
  'format',
] as const;

export type Keyword = (typeof scalarKeywords)[number] | 'enum' | 'required' | 'listType' | 'rule' | 'type';

/** All constraints of a schema, depth first. */
export function constraintsOf(schema: JsonSchema, steps: readonly string[] = []): readonly Constraint[] {
  return [
    ...own(schema).map((constraint) => ({ ...constraint, steps })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      constraintsOf(property, [...steps, name]),
    ),
    ...(schema.items === undefined ? [] : constraintsOf(schema.items, [...steps, '[]'])),
    ...(typeof schema.additionalProperties === 'object'
      ? constraintsOf(schema.additionalProperties, [...steps, '{}'])
      : []),
  ];
}

export function constraintName({ steps, keyword, demand }: Constraint): string {
  return `${steps.join('.').replaceAll('.[]', '[]').replaceAll('.{}', '{}')} ${keyword} ${demand}`;
}

function own(schema: JsonSchema): readonly Omit<Constraint, 'steps'>[] {
  return [
    ...types(schema),
    ...scalarKeywords.filter((keyword) => applies(schema, keyword)).map((keyword) => bound(schema, keyword)),
    ...(schema.enum === undefined ? [] : [{ keyword: 'enum' as const, demand: schema.enum.join('|') }]),
    ...(schema.required ?? [])
      .filter((name) => canBeMissing(schema, name))
      .map((name) => ({ keyword: 'required' as const, demand: name })),
    ...listTypes(schema),
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => ({
      keyword: 'rule' as const,
      demand: message ?? rule,
    })),
  ];
}

/** A string with a format is named by its format. */
function types({ type, format }: JsonSchema) {
  if (type === undefined) return [];
  return [{ keyword: 'type' as const, demand: type === 'string' ? (format ?? type) : type }];
}

function bound(schema: JsonSchema, keyword: (typeof scalarKeywords)[number]) {
  return { keyword, demand: schema[keyword] ?? '' };
}

/**
 * Not every keyword is a constraint: length limits of strings with an enum (as for the values of a
 * requirement) check nothing, and the API server accepts any integer as int32 or int64.
 */
function applies(schema: JsonSchema, keyword: (typeof scalarKeywords)[number]): boolean {
  if (keyword === 'format') return schema.format === 'date-time';
  const onText = keyword === 'pattern' || keyword === 'minLength' || keyword === 'maxLength';
  return schema[keyword] !== undefined && !(onText && schema.type === 'array');
}

/** A required property with a default is never missing. */
function canBeMissing({ properties }: JsonSchema, name: string): boolean {
  return properties?.[name]?.default === undefined;
}

function listTypes(schema: JsonSchema) {
  const listType = schema['x-kubernetes-list-type'];
  return listType === undefined || listType === 'atomic'
    ? []
    : [{ keyword: 'listType' as const, demand: listType }];
}
