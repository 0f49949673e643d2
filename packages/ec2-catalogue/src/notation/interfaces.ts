/** Network interfaces of a type, one number per network card. */
export interface Interfaces {
  readonly perCard: readonly number[];
  readonly addresses: number;
}

/** Written `15x50`, `8+7x50` for two cards, `32*2x50` for thirty-two. */
export function interfaces(word: string): Interfaces {
  const [cards = '', addresses] = word.split('x');
  return { perCard: cards.split('+').flatMap(alikeCards), addresses: Number(addresses) };
}

function alikeCards(word: string): readonly number[] {
  const [first, second] = word.split('*').map(Number);
  return second === undefined ? [first ?? 0] : Array.from({ length: first ?? 0 }, () => second);
}
