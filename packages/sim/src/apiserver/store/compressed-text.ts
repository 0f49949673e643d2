import { deflateRawSync, inflateRawSync } from 'node:zlib';

// A dictionary must be within the window. 8 KiB hold an event several times, and zlib allocates little for them.
const windowBits = 13;
const longestDictionary = 2 ** windowBits;

// The dictionary of one text serves many: renewing it costs memory, and an old one resembles new texts less.
const textsPerDictionary = 100;

// Below half of Buffer.poolSize, so that zlib writes into the pool instead of a new ArrayBuffer for each text. Nothing
// keeps these buffers.
const chunkSize = 4000;

/** A text that shares a dictionary with others. */
export interface CompressedText {
  /** One byte a character: a short string takes less memory than an ArrayBuffer of the same length. */
  readonly bytes: string;
  readonly dictionary: Uint8Array;
}

/**
 * Compresses texts that resemble each other, such as events: to a sixth of their length, where each by itself would
 * keep half. One of every hundred is the dictionary of the others.
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

  /** In memory of its own: a Buffer would keep the pool that it is a part of. */
  #renewDictionary(text: string): void {
    this.#dictionary = new TextEncoder().encode(text.slice(0, longestDictionary));
    this.#left = textsPerDictionary;
  }
}

export function decompress({ bytes, dictionary }: CompressedText): string {
  return inflateRawSync(Buffer.from(bytes, 'latin1'), { dictionary, windowBits, chunkSize }).toString();
}
