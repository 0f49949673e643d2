import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { headerDictionary } from './dictionary.ts';

/** Larger than the headers of any client; a few bytes may otherwise inflate to gigabytes. */
const maxBlockBytes = 64 * 1024;

/** Reads the headers of frames, which share one compression context. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({
    dictionary: headerDictionary,
    finishFlush: constants.Z_SYNC_FLUSH,
  });

  constructor() {
    this.#inflate.on('error', () => {});
  }

  /** Rejects for a block that cannot be inflated. */
  async read(block: Buffer): Promise<ReadonlyMap<string, string>> {
    const bytes = await through(this.#inflate, block);
    return headersIn(bytes);
  }

  close(): void {
    this.#inflate.destroy();
  }
}

/** The headers of replies, of which we send none: every block is an empty list. */
export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({
    dictionary: headerDictionary,
    flush: constants.Z_SYNC_FLUSH,
  });

  empty(): Promise<Buffer> {
    return through(this.#deflate, Buffer.alloc(4));
  }

  close(): void {
    this.#deflate.destroy();
  }
}

function through(stream: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(block, (error) => {
      stream.off('error', reject);
      const bytes: Buffer = stream.read() ?? Buffer.alloc(0);
      if (error) reject(error);
      else if (bytes.length > maxBlockBytes) reject(new Error('the headers of a stream are too large'));
      else resolve(bytes);
    });
  });
}

/** A count, then names and values with their lengths. */
function headersIn(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const text = () => {
    const length = bytes.readUInt32BE(at);
    at += 4 + length;
    return bytes.toString('utf8', at - length, at);
  };
  for (let left = bytes.readUInt32BE(0); left > 0; left -= 1) headers.set(text().toLowerCase(), text());
  return headers;
}
