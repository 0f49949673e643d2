import { randomInt } from 'node:crypto';

/** The alphabet of the API server's `generateName`: no vowels, which could form words, and no look-alikes. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 5;

/**
 * A random suffix, drawn here so that the name is known before the API server creates the object (ADR 0023).
 */
export function nameSuffix(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
