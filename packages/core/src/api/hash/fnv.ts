import { utf8Bytes } from './utf8.ts';

/** An unsigned 64-bit hash value. */
export type Hash = bigint;

const offsetHigh = 0xcbf29ce4;
const offsetLow = 0x84222325;
/** The 64-bit FNV prime is 2^40 + 435. */
const primeLow = 435;
const twoTo32 = 0x1_0000_0000;

/**
 * FNV-1 with 64 bits (multiply, then xor; not FNV-1a). The state is held as two unsigned 32-bit halves, since
 * one bigint multiplication per byte would make 16 KB of user data slow to hash. Every product below stays
 * under 2^53, so the arithmetic is exact.
 */
export function fnv1(bytes: Iterable<number>): Hash {
  let high = offsetHigh;
  let low = offsetLow;
  for (const byte of bytes) {
    const product = low * primeLow;
    const carry = Math.floor(product / twoTo32);
    high = (high * primeLow + carry + ((low << 8) >>> 0)) >>> 0;
    low = ((product >>> 0) ^ byte) >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}

/** FNV-1 of the UTF-8 bytes of a text. */
export function fnv1Text(text: string): Hash {
  return fnv1(utf8Bytes(text));
}
