/** Just enough of ASN.1's DER to write a certificate; reading is left to TLS itself. */

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

/** `[n]` around complete elements. */
export const tagged = (number: number, ...parts: readonly Buffer[]): Buffer =>
  element(0xa0 + number, ...parts);
/** `[n]` in place of the tag of a plain value. */
export const taggedValue = (number: number, value: Buffer): Buffer => element(0x80 + number, value);

export function bitString(bits: Buffer, unusedBits = 0): Buffer {
  return element(tags.bitString, Buffer.from([unusedBits]), bits);
}

/** Of a number that is not negative, given by its bytes. */
export function integer(bytes: Buffer): Buffer {
  const firstUsed = bytes.findIndex((byte) => byte !== 0);
  const digits = firstUsed < 0 ? Buffer.from([0]) : bytes.subarray(firstUsed);
  // A leading bit would make it negative.
  const sign = (digits[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : [];
  return element(tags.integer, ...sign, digits);
}

/** From its usual text: `2.5.29.17`. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(tags.objectIdentifier, ...[first * 40 + second, ...rest].map(base128));
}

/** Years from 2050 on have a form of their own. */
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

/** Seven bits to a byte; all but the last byte have the eighth set. */
function base128(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 + (rest % 128));
  }
  return Buffer.from(bytes);
}
