import type { FieldError } from '../field-error.ts';
import { floatText, isInt64, numberText } from '../go-text.ts';
import type { JsonSchema } from '../json-schema.ts';

export function checkNumber(schema: JsonSchema, value: number, path: string): FieldError[] {
  return [
    ...checkSize(schema, value, 'Checked', path),
    ...checkMultiple(schema, value, path),
    ...checkMaximum(schema, value, path),
    ...checkMinimum(schema, value, path),
  ];
}

const int32Limit = 2 ** 31;
const floatLimit = 3.4028234663852886e38;

/** Whether a number fits its declared size. The messages have no field, as in the API server. */
function checkSize({ type, format }: JsonSchema, value: number, subject: string, path: string): FieldError[] {
  if (type !== 'integer' && type !== 'number') return [];
  if (type === 'integer' ? isInt64(value) && fitsInteger(format, value) : fitsNumber(format, value))
    return [];
  const form = format !== undefined && sized.has(format) ? `with format ${format}` : '(default format)';
  const detail = `${subject} value must be of type ${type} ${form} in ${path}`;
  return [{ type: 'Invalid', field: '', value: '', detail }];
}

const sized = new Set(['int32', 'int64', 'float']);

function fitsInteger(format: string | undefined, value: number): boolean {
  return format !== 'int32' || (value >= -int32Limit && value < int32Limit);
}

function fitsNumber(format: string | undefined, value: number): boolean {
  return format !== 'float' || Math.abs(value) <= floatLimit;
}

/**
 * A whole number is compared with the integer part of a limit. Only for type integer a fractional limit
 * counts as it is, and is an error itself.
 */
function comparable({ type }: JsonSchema, limit: number, value: number): number {
  return isInt64(value) && type !== 'integer' ? Math.trunc(limit) : limit;
}

/** A limit is printed like the kind of number it is compared with. */
function limitText(limit: number, value: number): string {
  return isInt64(value) && isInt64(limit) ? numberText(limit) : floatText(limit);
}

// Here and below, a limit that does not fit the declared size is an error beside the comparison itself.
function checkMultiple(schema: JsonSchema, value: number, path: string): FieldError[] {
  if (schema.multipleOf === undefined) return [];
  const errors = checkSize(schema, schema.multipleOf, 'MultipleOf', path);
  const factor = comparable(schema, schema.multipleOf, value);
  if (factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${numberText(factor)}`;
    return [...errors, { type: 'Invalid', field: path, value: factor, detail }];
  }
  if (isMultiple(value, factor)) return errors;
  return [...errors, invalid(path, value, `should be a multiple of ${limitText(factor, value)}`)];
}

/** For factors below one the API server multiplies, which rounds differently: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, factor: number): boolean {
  if (isInt64(value) && isInt64(factor)) return value % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.trunc(quotient);
  const isClose = Math.abs(quotient - whole) < 1e-9 * Math.abs(quotient + whole);
  return Number.isSafeInteger(whole) && (quotient === whole || isClose);
}

function checkMaximum(schema: JsonSchema, value: number, path: string): FieldError[] {
  if (schema.maximum === undefined) return [];
  const errors = checkSize(schema, schema.maximum, 'Maximum boundary', path);
  const limit = comparable(schema, schema.maximum, value);
  if (schema.exclusiveMaximum ? value < limit : value <= limit) return errors;
  const words = schema.exclusiveMaximum ? 'less than' : 'less than or equal to';
  return [...errors, invalid(path, value, `should be ${words} ${limitText(limit, value)}`)];
}

function checkMinimum(schema: JsonSchema, value: number, path: string): FieldError[] {
  if (schema.minimum === undefined) return [];
  const errors = checkSize(schema, schema.minimum, 'Minimum boundary', path);
  const limit = comparable(schema, schema.minimum, value);
  if (schema.exclusiveMinimum ? value > limit : value >= limit) return errors;
  const words = schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
  return [...errors, invalid(path, value, `should be ${words} ${limitText(limit, value)}`)];
}

function invalid(field: string, value: number, rest: string): FieldError {
  return { type: 'Invalid', field, value, detail: `${field} in body ${rest}` };
}
