import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  type ControlFrame,
  controlFrame,
  type DataFrame,
  dataFrame,
  FrameCutter,
  fin,
  frameTypes,
  uint32,
} from './frames.ts';
import { HeaderReader, HeaderWriter } from './header-block.ts';

/** A stream that the client opened. */
export interface SpdyStream {
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Its data, both ways. */
  readonly data: Duplex;
}

/** Limit on open streams, far above what kubectl opens. */
const maxStreams = 1_000;

/** Serves the streams that the client opens over a WebSocket, until either side closes it. */
export function serveSpdy(connection: WebSocket, onStream: (stream: SpdyStream) => void): void {
  const session = new SpdySession(connection, onStream);
  connection.on('close', () => session.close());
  connection.on('message', (message: Buffer | ArrayBuffer | Buffer[]) => session.receive(bytesOf(message)));
}

class SpdySession {
  readonly #connection: WebSocket;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #cutter = new FrameCutter();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, Duplex>();
  /** Frames are handled one after the other, although headers are inflated asynchronously. */
  #last: Promise<void> = Promise.resolve();

  constructor(connection: WebSocket, onStream: (stream: SpdyStream) => void) {
    this.#connection = connection;
    this.#onStream = onStream;
  }

  receive(bytes: Buffer): void {
    this.#last = this.#last
      .then(async () => {
        for (const frame of this.#cutter.cut(bytes)) await this.#handle(frame);
      })
      .catch(() => this.#connection.terminate());
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    this.#streams.clear();
    this.#reader.close();
    this.#writer.close();
  }

  async #handle(frame: ControlFrame | DataFrame): Promise<void> {
    if ('streamId' in frame) this.#data(frame);
    else if (frame.type === frameTypes.synStream) await this.#open(frame);
    else if (frame.type === frameTypes.ping) this.#send(controlFrame(frame));
    else if (frame.type === frameTypes.rstStream) this.#reset(frame.payload.readUInt32BE(0));
    else if (frame.type === frameTypes.goAway) this.#connection.close(1000);
  }

  #data({ streamId, flags, payload }: DataFrame): void {
    const stream = this.#streams.get(streamId);
    if (payload.length > 0) stream?.push(payload);
    if ((flags & fin) !== 0) stream?.push(null);
  }

  async #open({ flags, payload }: ControlFrame): Promise<void> {
    const streamId = payload.readUInt32BE(0);
    if (this.#streams.size >= maxStreams) throw new Error('the client opens too many streams');
    const headers = await this.#reader.read(payload.subarray(10));
    const data = this.#stream(streamId);
    this.#streams.set(streamId, data);
    const reply = Buffer.concat([uint32(streamId), await this.#writer.empty()]);
    this.#send(controlFrame({ type: frameTypes.synReply, flags: 0, payload: reply }));
    if ((flags & fin) !== 0) data.push(null);
    this.#onStream({ headers, data });
  }

  #stream(streamId: number): Duplex {
    const send = (payload: Buffer, flags: number, done: (error?: Error) => void) =>
      this.#send(dataFrame({ streamId, flags, payload }), done);
    const stream = new Duplex({
      read() {},
      write: (chunk: Buffer, _, done) => send(chunk, 0, done),
      final: (done) => send(Buffer.alloc(0), fin, done),
    });
    stream.on('error', () => {});
    stream.on('close', () => this.#streams.delete(streamId));
    return stream;
  }

  #reset(streamId: number): void {
    this.#streams.get(streamId)?.destroy();
  }

  #send(frame: Buffer, done: (error?: Error) => void = () => {}): void {
    this.#connection.send(frame, done);
  }
}

function bytesOf(message: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(message)) return Buffer.concat(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message);
}
