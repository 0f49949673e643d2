/** Network interfaces per network card, and addresses per interface. */
export interface Interfaces {
  readonly perCard: readonly number[];
  readonly addresses: number;
}

/** Parses interfaces x addresses: `15x50`, `8+7x50` for two cards, `32*2x50` for 32 cards. */
export function interfaces(word: string): Interfaces {
  const [cards = '', addresses] = word.split('x');
  return { perCard: cards.split('+').flatMap(equalCards), addresses: Number(addresses) };
}

function equalCards(word: string): readonly number[] {
  const [first, second] = word.split('*').map(Number);
  return second === undefined ? [first ?? 0] : Array.from({ length: first ?? 0 }, () => second);
}
