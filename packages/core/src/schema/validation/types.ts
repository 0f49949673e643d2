import type { FieldError } from '../field-error.ts';
import { isInt64 } from '../go-text.ts';
import type { Json, JsonSchema } from '../json-schema.ts';
import type { ValidatedSubject } from './findings.ts';
import { stringFormat } from './formats.ts';

/** The JSON type of a value in schema terms; `integer` and `number` differ as on the wire. */
function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return typeof value;
}

export function checkType({ schema, value, path }: ValidatedSubject): FieldError[] {
  const found = typeName(value);
  const allowed = allowedTypes(schema);
  if (allowed.length === 0 || (value === null && schema.nullable === true)) return [];
  if (allowed.includes(found) || (found === 'integer' && allowed.includes('number'))) return [];
  const format = checkedFormat(schema);
  if (format !== undefined && schema.type === 'string' && found === 'array') return [];
  const words = format === undefined ? undefined : formatWords(schema, found);
  const [shown, wanted] = words === undefined ? [found, allowed.join(',')] : [words, format];
  const detail = `${path} in body must be of type ${wanted}: "${shown}"`;
  return [{ type: 'TypeInvalid', field: path, value: shown, detail }];
}

function allowedTypes(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

/** The format, if the API server checks it for values of this type. */
function checkedFormat({ type, format }: JsonSchema): string | undefined {
  switch (type) {
    case 'string':
      return stringFormat(format) ? format : undefined;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : undefined;
    case 'number':
      return format === 'float' || format === 'double' ? format : undefined;
    default:
      return undefined;
  }
}

// A checked format changes how a value of another type is described: numbers by their Go type, booleans and
// objects not at all. A list passes as a formatted string. This reproduces the API server, including its
// oddities.
const goTypes: Readonly<Record<string, string>> = {
  boolean: '',
  integer: 'int64',
  number: 'float64',
  object: '',
};

function formatWords({ type }: JsonSchema, found: string): string | undefined {
  return found === 'integer' && type !== 'string' ? undefined : goTypes[found];
}
