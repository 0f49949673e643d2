import { chanceFrom, hashText } from '../../objects/chance.ts';

/** From 0 to 1 and the same for the same text; mixed again, because texts that differ at their end hash alike. */
export function fractionOf(text: string): number {
  return chanceFrom(hashText(text)).next();
}
