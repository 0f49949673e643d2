export interface Processor {
  readonly manufacturer: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly ghz: number | undefined;
}

const manufacturers: Readonly<Record<string, string>> = { I: 'Intel', A: 'AMD', G: 'AWS' };

/** Written `I3.1`: Intel, AMD or Graviton, and the sustained clock where it is known. */
export function processor(word: string): Processor {
  const maker = word.slice(0, 1);
  return {
    manufacturer: manufacturers[maker] ?? '',
    architecture: maker === 'G' ? 'arm64' : 'x86_64',
    ghz: word.length === 1 ? undefined : Number(word.slice(1)),
  };
}
