import type { Chance } from '../../objects/chance.ts';

const digits = '0123456789abcdef';

function hexDigits(chance: Chance, count: number): string {
  let text = '';
  while (text.length < count) text += digits[chance.below(digits.length)];
  return text;
}

/** An id such as `i-0f3a…`: a prefix and seventeen hex digits, of which the first is 0 as in EC2. */
export function resourceId(prefix: string, chance: Chance): string {
  return `${prefix}-0${hexDigits(chance, 16)}`;
}

export function uuid(chance: Chance): string {
  return [8, 4, 4, 4, 12].map((count) => hexDigits(chance, count)).join('-');
}

/** An IAM id such as `AIPA…`. */
export function iamId(prefix: string, chance: Chance): string {
  return `${prefix}${hexDigits(chance, 17).toUpperCase()}`;
}
