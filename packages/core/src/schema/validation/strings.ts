import { re2 } from '../../values/index.ts';
import type { FieldError } from '../field-error.ts';
import { quoted } from '../go-text.ts';
import type { JsonSchema } from '../json-schema.ts';
import { stringFormat } from './formats.ts';

/** Reports the first of length and pattern that fails; the API server stops there. */
export function checkString(schema: JsonSchema, value: string, path: string): FieldError[] {
  const length = [...value].length;
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && length > maxLength) {
    return [
      {
        type: 'TooLong',
        field: path,
        detail: `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`,
      },
    ];
  }
  if (minLength !== undefined && length < minLength) {
    return [invalid(path, value, `should be at least ${minLength} chars long`)];
  }
  if (pattern !== undefined && !patternFor(pattern).test(value)) {
    return [invalid(path, value, `should match '${pattern}'`)];
  }
  return [];
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

const patterns = new Map<string, RegExp>();

function patternFor(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known) return known;
  const made = re2(pattern);
  patterns.set(pattern, made);
  return made;
}
