import { deflateRawSync, inflateRawSync } from 'node:zlib';

// The window limits the dictionary. 8 KiB is several times the size of an event, and zlib allocates little for it.
const windowBits = 13;
const maxDictionaryLength = 2 ** windowBits;

// Each dictionary costs memory, but an old one resembles new texts less.
const textsPerDictionary = 100;

// Below half of Buffer.poolSize, so that zlib writes into the shared pool instead of a new ArrayBuffer for each text.
// The buffers are short-lived, so they do not keep the pool in memory.
const chunkSize = 4000;

/** A text that shares a dictionary with others. */
export interface CompressedText {
  /** Latin-1, one byte per character: a short string takes less memory than an ArrayBuffer of the same length. */
  readonly bytes: string;
  readonly dictionary: Uint8Array;
}

/**
 * Compresses similar texts, such as events, with one of every hundred as the dictionary of the others: to a sixth of
 * their length, compared to half without a dictionary (ADR 0070).
 */
export class TextCompressor {
  #dictionary: Uint8Array = new Uint8Array();
  #left = 0;

  compress(text: string): CompressedText {
    if (this.#left === 0) this.#renewDictionary(text);
    this.#left -= 1;
    const dictionary = this.#dictionary;
    const bytes = deflateRawSync(text, { dictionary, windowBits, memLevel: 5, chunkSize }).toString('latin1');
    return { bytes, dictionary };
  }

  /** Copies the text into its own ArrayBuffer: a pooled Buffer would keep the whole pool in memory. */
  #renewDictionary(text: string): void {
    this.#dictionary = new TextEncoder().encode(text.slice(0, maxDictionaryLength));
    this.#left = textsPerDictionary;
  }
}

export function decompress({ bytes, dictionary }: CompressedText): string {
  return inflateRawSync(Buffer.from(bytes, 'latin1'), { dictionary, windowBits, chunkSize }).toString();
}
