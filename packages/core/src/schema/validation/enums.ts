import type { FieldError } from '../field-error.ts';
import { isInt64, jsonText, quoted } from '../go-text.ts';
import type { Json } from '../json-schema.ts';
import { equalJson } from '../json-value.ts';
import type { ValidatedSubject } from './outcome.ts';

export function checkEnum({ schema, value, path }: ValidatedSubject): FieldError[] {
  if (!schema.enum || schema.enum.some((allowed) => isSame(allowed, value))) return [];
  const supported = schema.enum.map((allowed) => quoted(shown(allowed))).join(', ');
  return [{ type: 'NotSupported', field: path, value, detail: `supported values: ${supported}` }];
}

/** The API server truncates a fraction before it compares it with an integer of the list. */
function isSame(allowed: Json, value: Json): boolean {
  if (isInt64(allowed) && typeof value === 'number') return Math.trunc(value) === allowed;
  return equalJson(allowed, value);
}

function shown(allowed: Json): string {
  return typeof allowed === 'string' ? allowed : jsonText(allowed);
}
