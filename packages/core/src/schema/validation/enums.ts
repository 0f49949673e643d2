import type { FieldError } from '../field-error.ts';
import { isInt64, jsonText, quoted } from '../go-text.ts';
import type { Json } from '../json-schema.ts';
import { equalJson } from '../json-value.ts';
import type { ValidatedSubject } from './findings.ts';

const valid: readonly FieldError[] = [];

export function checkEnum({ schema, value, path }: ValidatedSubject): readonly FieldError[] {
  if (!schema.enum || isAllowed(schema.enum, value)) return valid;
  const supported = schema.enum.map((allowed) => quoted(shown(allowed))).join(', ');
  return [{ type: 'NotSupported', field: path, value, detail: `supported values: ${supported}` }];
}

function isAllowed(list: readonly Json[], value: Json): boolean {
  if (typeof value === 'object' && value !== null) return list.some((allowed) => equalJson(allowed, value));
  const scalars = scalarsOf(list);
  if (scalars.has(value)) return true;
  // The API server truncates a fraction before it compares it with an integer of the list.
  return typeof value === 'number' && isInt64(Math.trunc(value)) && scalars.has(Math.trunc(value));
}

const known = new WeakMap<readonly Json[], ReadonlySet<Json>>();

/** The list as a set: it may be long, and every item of a long list is looked up in it. */
function scalarsOf(list: readonly Json[]): ReadonlySet<Json> {
  const scalars = known.get(list) ?? new Set(list);
  known.set(list, scalars);
  return scalars;
}

function shown(allowed: Json): string {
  return typeof allowed === 'string' ? allowed : jsonText(allowed);
}
