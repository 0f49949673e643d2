const replacementCharacter = 0xfffd;

/**
 * The UTF-8 bytes of a text, one at a time. Implemented here because `core` may use neither Node nor the DOM.
 * A lone surrogate becomes U+FFFD, as in JSON decoders that store strings as UTF-8.
 */
export function* utf8Bytes(text: string): Generator<number, void, undefined> {
  for (const character of text) {
    yield* codePointBytes(scalarValue(character.codePointAt(0) ?? 0));
  }
}

function scalarValue(codePoint: number): number {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return isSurrogate ? replacementCharacter : codePoint;
}

function codePointBytes(codePoint: number): readonly number[] {
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), continuation(codePoint)];
  if (codePoint < 0x10000) {
    return [0xe0 | (codePoint >> 12), continuation(codePoint >> 6), continuation(codePoint)];
  }
  return [
    0xf0 | (codePoint >> 18),
    continuation(codePoint >> 12),
    continuation(codePoint >> 6),
    continuation(codePoint),
  ];
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}
