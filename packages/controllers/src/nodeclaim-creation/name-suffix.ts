import { randomInt } from 'node:crypto';

/** Without vowels and look-alikes, as API servers complete names. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 5;

export function nameSuffix(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
