/** Types of control frames. */
export const frameTypes = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;

/** The flag of the last frame of one side of a stream. */
export const fin = 1;

export interface ControlFrame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export interface DataFrame {
  readonly streamId: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** Limit on a frame, which is buffered until it is complete; kubectl sends at most 32 KiB at once. */
const maxFrameBytes = 1024 * 1024;
const headBytes = 8;
const version = 3;
const isControl = 0x80;

/** Splits the received bytes into frames. Throws for a frame that is too large. */
export class FrameCutter {
  #bytes = Buffer.alloc(0);

  *cut(bytes: Buffer): Generator<ControlFrame | DataFrame> {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const end = this.#bytes.length < headBytes ? undefined : headBytes + this.#bytes.readUIntBE(5, 3);
      if (end !== undefined && end > maxFrameBytes) throw new Error('a frame is too large');
      if (end === undefined || this.#bytes.length < end) return;
      const frame = this.#bytes.subarray(0, end);
      this.#bytes = this.#bytes.subarray(end);
      yield frameOf(frame);
    }
  }
}

export function controlFrame({ type, flags, payload }: ControlFrame): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE((isControl << 8) | version, 0);
  head.writeUInt16BE(type, 2);
  return withLength(head, flags, payload);
}

export function dataFrame({ streamId, flags, payload }: DataFrame): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(streamId, 0);
  return withLength(head, flags, payload);
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function withLength(head: Buffer, flags: number, payload: Buffer): Buffer {
  head.writeUInt8(flags, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function frameOf(bytes: Buffer): ControlFrame | DataFrame {
  const flags = bytes.readUInt8(4);
  const payload = bytes.subarray(headBytes);
  return (bytes.readUInt8(0) & isControl) === 0
    ? { streamId: bytes.readUInt32BE(0), flags, payload }
    : { type: bytes.readUInt16BE(2), flags, payload };
}
