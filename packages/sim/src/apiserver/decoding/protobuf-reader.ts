/** The bytes are not a valid protobuf message. */
export class ProtobufProblem extends Error {}

/** A field on the wire: a number for varints, otherwise its bytes. */
export interface WireField {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The fields of a message in wire order. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new WireReader(bytes);
  while (!reader.isAtEnd) yield reader.field();
}

class WireReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  field(): WireField {
    const tag = this.#varint();
    const number = Math.floor(tag / 8);
    if (number <= 0) throw new ProtobufProblem(`proto: illegal tag ${number} (wire type ${tag % 8})`);
    return { number, value: this.#value(tag % 8) };
  }

  #value(wireType: number): number | Uint8Array {
    switch (wireType) {
      case 0:
        return this.#varint();
      case 1:
        return this.#take(8);
      case 2:
        return this.#take(this.#varint());
      case 5:
        return this.#take(4);
      default:
        throw new ProtobufProblem(`proto: illegal wireType ${wireType}`);
    }
  }

  #take(length: number): Uint8Array {
    const end = this.#position + length;
    if (length < 0 || end > this.#bytes.length) throw new ProtobufProblem('unexpected EOF');
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }

  /** An int64 in two's complement. Values beyond 2^53 are rounded, as in JSON. */
  #varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw new ProtobufProblem('unexpected EOF');
      this.#position += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new ProtobufProblem('proto: integer overflow');
  }
}
