export interface Processor {
  readonly manufacturer: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly ghz: number | undefined;
}

const manufacturers: Readonly<Record<string, string>> = { I: 'Intel', A: 'AMD', G: 'AWS', P: 'Apple' };

/** Parses `I3.1`: Intel, AMD, Graviton or Apple, and the sustained clock in GHz if known. */
export function processor(word: string): Processor {
  const letter = word.slice(0, 1);
  return {
    manufacturer: manufacturers[letter] ?? '',
    architecture: letter === 'G' || letter === 'P' ? 'arm64' : 'x86_64',
    ghz: word.length === 1 ? undefined : Number(word.slice(1)),
  };
}
