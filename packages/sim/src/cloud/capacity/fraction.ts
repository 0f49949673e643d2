import { firstChance, hashText } from '../../objects/chance.ts';

/**
 * A number from 0 to 1 that depends only on the text. The hash seeds a generator, because texts that differ
 * only at the end have similar hashes.
 */
export function fractionOf(text: string): number {
  return firstChance(hashText(text));
}
