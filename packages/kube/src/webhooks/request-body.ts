import type { IncomingMessage } from 'node:http';

/** The request gets an HTTP error instead of a review. The message ends up in the API server's log. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Limit on all bodies together: any pod of the cluster can reach the server, and must not exhaust its memory. */
const maxBufferedBytes = 64 * 1024 * 1024;

/** Reads bodies of requests, up to a size each and in total. */
export class BodyReader {
  #buffered = 0;

  /** Rejects with a RefusedRequest, and leaves the rest of the body unread, if it is too large. */
  read(request: IncomingMessage, maxBytes: number): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    const chunks: Buffer[] = [];
    let size = 0;
    const ended = new Promise<void>((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        this.#buffered += chunk.length;
        chunks.push(chunk);
        if (size <= maxBytes && this.#buffered <= maxBufferedBytes) return;
        request.pause();
        reject(size > maxBytes ? tooLarge(maxBytes) : tooBusy());
      });
      request.once('end', resolve);
      request.once('close', () => reject(new RefusedRequest(400, 'the request was aborted')));
    });
    return ended
      .then(() => Buffer.concat(chunks).toString('utf8'))
      .finally(() => {
        this.#buffered -= size;
        request.removeAllListeners('data');
      });
  }
}

function tooLarge(maxBytes: number): RefusedRequest {
  return new RefusedRequest(413, `the body has more than ${maxBytes} bytes`);
}

function tooBusy(): RefusedRequest {
  return new RefusedRequest(503, 'too many large requests at a time; try again');
}
