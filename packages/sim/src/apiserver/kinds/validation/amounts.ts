import type { FieldError, Json } from '@karpenter/core/schema';
import { compareQuantities, parseQuantity, quantitySign, toMilli } from '@karpenter/core/values';
import { remembered } from '../../remembered.ts';
import { invalid, notNegative } from './field-errors.ts';

const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number or a percentage (IntOrString). */
export function amount(field: string, value: Json | undefined): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, notNegative)] : [];
  return /^[0-9]+%$/.test(String(value)) ? [] : [invalid(field, value, percentRule)];
}

/** A percentage must not exceed 100%. */
export function atMostAll(field: string, value: Json | undefined): readonly FieldError[] {
  const percent = /^([0-9]+)%$/.exec(String(value))?.[1];
  return percent !== undefined && Number(percent) > 100 && value !== undefined
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}

export const isZeroAmount = (value: Json | undefined) => value === 0 || /^0+%$/.test(String(value));

const quantityOf = remembered((text) => parseQuantity(text));

export const isWholeQuantity = (text: string) => toMilli(quantityOf(text)) % 1000n === 0n;
export const isNegativeQuantity = (text: string) => quantitySign(quantityOf(text)) < 0;
export const isPositiveQuantity = (text: string) => quantitySign(quantityOf(text)) > 0;
export const compareAmounts = (a: string, b: string) => compareQuantities(quantityOf(a), quantityOf(b));
