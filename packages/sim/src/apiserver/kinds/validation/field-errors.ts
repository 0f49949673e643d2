import { equalJson, type FieldError, isJsonObject, type Json } from '@karpenter/core/schema';

// Field errors in the categories and words of the API server.

export function required(field: string, detail?: string): FieldError {
  return { type: 'Required', field, ...(detail === undefined ? {} : { detail }) };
}

export function invalid(field: string, value: Json, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail };
}

export function duplicate(field: string, value: Json): FieldError {
  return { type: 'Duplicate', field, value };
}

export function notSupported(field: string, value: Json, values: readonly string[]): FieldError {
  return { type: 'NotSupported', field, value, detail: quotedList(values) };
}

/** One error for each problem that a check of a string reports. */
export function problemsAt(field: string, value: string, problems: readonly string[]): readonly FieldError[] {
  return problems.map((detail) => invalid(field, value, detail));
}

export const notNegative = 'must be greater than or equal to 0';
const portRange = 'must be between 1 and 65535, inclusive';
const immutable = 'field is immutable';

/** A number that may be absent but not negative. */
export function nonNegative(field: string, value: Json | undefined): readonly FieldError[] {
  return typeof value === 'number' && value < 0 ? [invalid(field, value, notNegative)] : [];
}

const isPort = (value: Json | undefined) => typeof value === 'number' && value >= 1 && value <= 65_535;

export function portNumber(field: string, value: Json | undefined): readonly FieldError[] {
  return isPort(value) ? [] : [invalid(field, value ?? 0, portRange)];
}

/** A string from a fixed set; absence is no error here. */
export function oneOf(
  field: string,
  value: Json | undefined,
  values: readonly string[],
): readonly FieldError[] {
  if (value === undefined || (typeof value === 'string' && values.includes(value))) return [];
  return [notSupported(field, value, values)];
}

/** Items of a list with the name of an earlier one. */
export function repeated(field: string, names: readonly string[], suffix = '.name'): readonly FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const isRepeated = name !== '' && seen.has(name);
    seen.add(name);
    return isRepeated ? [duplicate(`${field}[${index}]${suffix}`, name)] : [];
  });
}

export function unchanged(
  field: string,
  value: Json | undefined,
  old: Json | undefined,
): readonly FieldError[] {
  return equalJson(value, old) ? [] : [invalid(field, value ?? null, immutable)];
}

/** Names of the members that are set. */
export function presentMembers(object: Json | undefined, names: readonly string[]): readonly string[] {
  return isJsonObject(object)
    ? names.filter((name) => object[name] !== undefined && object[name] !== null)
    : [];
}

interface WrongStruct {
  readonly type: 'Invalid' | 'NotSupported' | 'Duplicate';
  readonly field: string;
  readonly struct: Readonly<Record<string, Json>>;
  readonly detail: string;
}

/** The same for a whole struct, which messages show with its fields in Go order and spelling. */
export function wrongStruct({ type, field, struct, detail }: WrongStruct): FieldError {
  return { type, field, detail: `${JSON.stringify(struct)}: ${detail}` };
}

export function quotedList(values: readonly string[]): string {
  return `supported values: ${values.map((text) => JSON.stringify(text)).join(', ')}`;
}
