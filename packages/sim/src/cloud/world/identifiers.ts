import type { Chance } from '../../objects/chance.ts';

const digits = '0123456789abcdef';

function hexDigits(chance: Chance, count: number): string {
  let text = '';
  while (text.length < count) text += digits[chance.below(digits.length)];
  return text;
}

/** `i-0f3a…`: a prefix and seventeen digits, the first of which EC2 has as 0. */
export function resourceId(prefix: string, chance: Chance): string {
  return `${prefix}-0${hexDigits(chance, 16)}`;
}

export function uuid(chance: Chance): string {
  return [8, 4, 4, 4, 12].map((count) => hexDigits(chance, count)).join('-');
}

/** `AIPA…`: ids of IAM. */
export function iamId(prefix: string, chance: Chance): string {
  return `${prefix}${hexDigits(chance, 17).toUpperCase()}`;
}
