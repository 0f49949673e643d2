/** A DER (ASN.1) encoder with just what certificates need. Node's X509Certificate does the parsing. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export const sequence = (...parts: readonly Buffer[]): Buffer => element(tags.sequence, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => element(tags.set, ...parts);
export const octetString = (...parts: readonly Buffer[]): Buffer => element(tags.octetString, ...parts);
export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text, 'utf8'));
export const truth = (): Buffer => element(tags.boolean, Buffer.from([0xff]));

/** Explicit tag `[n]` around complete elements. */
export const tagged = (number: number, ...parts: readonly Buffer[]): Buffer =>
  element(0xa0 + number, ...parts);
/** Implicit tag `[n]` in place of a primitive value's own tag. */
export const taggedValue = (number: number, value: Buffer): Buffer => element(0x80 + number, value);

export function bitString(bits: Buffer, unusedBits = 0): Buffer {
  return element(tags.bitString, Buffer.from([unusedBits]), bits);
}

/** Encodes a non-negative integer given as big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const firstUsed = bytes.findIndex((byte) => byte !== 0);
  const digits = firstUsed < 0 ? Buffer.from([0]) : bytes.subarray(firstUsed);
  // DER integers are signed: a set top bit would make the number negative.
  const sign = (digits[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : [];
  return element(tags.integer, ...sign, digits);
}

/** Encodes an OID from its dotted form, such as `2.5.29.17`. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(tags.objectIdentifier, ...[first * 40 + second, ...rest].map(base128));
}

/** Encodes a time as UTCTime up to 2049 and as GeneralizedTime from 2050 on, as RFC 5280 requires. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');
  const isShort = digits < '2050';
  return element(
    isShort ? tags.utcTime : tags.generalizedTime,
    Buffer.from(isShort ? digits.slice(2) : digits, 'ascii'),
  );
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** Seven bits per byte; all bytes but the last have the top bit set. */
function base128(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 + (rest % 128));
  }
  return Buffer.from(bytes);
}
