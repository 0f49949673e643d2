import type { Json, JsonSchema, ValidationRule } from './json-schema.ts';

/**
 * The single source of an API kind: each function returns a structural schema that carries the TypeScript
 * type of the values it admits, so that types, defaults, validation and the CRD cannot diverge.
 */
declare const admits: unique symbol;
declare const presence: unique symbol;

export interface Schema<T> {
  readonly json: JsonSchema;
  readonly [admits]?: T;
}

/** A property that stored objects always have: it is required, or has a default. */
export interface PresentSchema<T> extends Schema<T> {
  readonly [presence]?: 'always';
  readonly isRequired: boolean;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

type Properties = { readonly [name: string]: Schema<unknown> };
type PresentNames<P> = { [N in keyof P]: P[N] extends PresentSchema<unknown> ? N : never }[keyof P];
type Flatten<T> = { [N in keyof T]: T[N] };
export type InferObject<P> = Flatten<
  { readonly [N in PresentNames<P>]: Infer<P[N]> } & {
    readonly [N in Exclude<keyof P, PresentNames<P>>]?: Infer<P[N]>;
  }
>;

interface Ruled {
  readonly rules?: readonly ValidationRule[];
}
type StringLimits = Ruled & Pick<JsonSchema, 'pattern' | 'minLength' | 'maxLength' | 'format'>;
type IntegerLimits = Ruled &
  Pick<JsonSchema, 'minimum' | 'maximum'> & { readonly format?: 'int32' | 'int64' };
type ArrayLimits = Ruled &
  Pick<JsonSchema, 'minItems' | 'maxItems'> & {
    readonly listType?: 'atomic' | 'set' | 'map';
    readonly mapKeys?: readonly string[];
  };
type MapLimits = Ruled & Pick<JsonSchema, 'maxProperties'> & { readonly mapType?: 'atomic' | 'granular' };

export function string<T extends string = string>(description: string, limits: StringLimits = {}): Schema<T> {
  return schema({ description, type: 'string' }, limits);
}

/** A string in a list or map, which is described by the list or map. */
export function stringItem(limits: StringLimits = {}): Schema<string> {
  return schema({ type: 'string' }, limits);
}

export function enumeration<const T extends string>(
  description: string,
  values: readonly T[],
  limits: Ruled = {},
): Schema<T> {
  return schema({ description, type: 'string', enum: values }, limits);
}

export function integer(description: string, limits: IntegerLimits = {}): Schema<number> {
  return schema({ description, type: 'integer' }, limits);
}

export function boolean(description: string): Schema<boolean> {
  return schema({ description, type: 'boolean' });
}

export function dateTime(description: string): Schema<string> {
  return string(description, { format: 'date-time' });
}

export const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** A quantity may be a string or an integer, and is stored as written. */
export function quantity(description?: string): Schema<string | number> {
  return schema({
    ...(description === undefined ? {} : { description }),
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: quantityPattern,
    'x-kubernetes-int-or-string': true,
  });
}

export function array<T>(
  description: string,
  items: Schema<T>,
  { listType, mapKeys, ...limits }: ArrayLimits = {},
): Schema<readonly T[]> {
  return schema(
    {
      description,
      type: 'array',
      items: items.json,
      ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
      ...(mapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': mapKeys }),
    },
    limits,
  );
}

export function map<T>(
  description: string,
  values: Schema<T>,
  { mapType, ...limits }: MapLimits = {},
): Schema<{ readonly [name: string]: T }> {
  return schema(
    {
      description,
      type: 'object',
      additionalProperties: values.json,
      ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
    },
    limits,
  );
}

/** Properties are sorted by name, so that the CRD does not depend on the order in which they are written. */
export function object<P extends Properties>(
  description: string,
  properties: P,
  limits: Ruled = {},
): Schema<InferObject<P>> {
  const entries = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const required = entries.filter(([, property]) => isRequired(property)).map(([name]) => name);
  return schema(
    {
      description,
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, property]) => [name, property.json])),
      ...(required.length === 0 ? {} : { required }),
    },
    limits,
  );
}

/** The author of an object must set this property. */
export function required<T>(property: Schema<T>): PresentSchema<T> {
  return { json: property.json, isRequired: true };
}

/** The API server sets this property when its author does not. */
export function defaulted<T>(property: Schema<T>, value: Json): PresentSchema<T> {
  return { json: { ...property.json, default: value }, isRequired: false };
}

function isRequired(property: Schema<unknown>): boolean {
  return 'isRequired' in property && property.isRequired === true;
}

function schema<T>(json: JsonSchema, { rules, ...limits }: Ruled & Partial<JsonSchema> = {}): Schema<T> {
  return {
    json: {
      ...json,
      ...limits,
      ...(rules === undefined || rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
    },
  };
}
