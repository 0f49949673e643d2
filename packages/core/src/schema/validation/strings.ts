import type { FieldError } from '../field-error.ts';
import { quoted } from '../go-text.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { PatternMatcher } from '../rule-checker.ts';
import { stringFormat } from './formats.ts';

/** Reports the first of length and pattern that fails; the API server stops there. */
export function checkString(
  schema: JsonSchema,
  { value, path }: { readonly value: string; readonly path: string },
  patterns: PatternMatcher,
): FieldError[] {
  const { maxLength, minLength, pattern } = schema;
  // The API server counts characters, but its message says bytes.
  if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
    return [
      {
        type: 'TooLong',
        field: path,
        detail: `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`,
      },
    ];
  }
  if (minLength !== undefined && characters(value) < minLength) {
    return [invalid(path, value, `should be at least ${minLength} chars long`)];
  }
  return pattern === undefined ? [] : checkPattern(pattern, { value, path }, patterns);
}

function checkPattern(
  pattern: string,
  { value, path }: { readonly value: string; readonly path: string },
  patterns: PatternMatcher,
): FieldError[] {
  const isMatch = patterns.matchesPattern(pattern, value);
  if (isMatch) return [];
  // kube-apiserver has no such limit: it matches however long that takes.
  const words = isMatch === undefined ? 'is too long to be matched with' : 'should match';
  return [invalid(path, value, `${words} '${pattern}'`)];
}

export function checkStringFormat(schema: JsonSchema, value: string, path: string): FieldError[] {
  const accepts = stringFormat(schema.format);
  if (!accepts || accepts(value)) return [];
  return [
    {
      type: 'TypeInvalid',
      field: path,
      value,
      detail: `${path} in body must be of type ${schema.format}: ${quoted(value)}`,
    },
  ];
}

function invalid(field: string, value: string, rest: string): FieldError {
  return { type: 'Invalid', field, value, detail: `${field} in body ${rest}` };
}

/** Characters, not UTF-16 code units. There are never more than `length`, so a short text need not be counted. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
