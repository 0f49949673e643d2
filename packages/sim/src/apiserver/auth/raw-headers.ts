/**
 * Headers in order, with lower-case names. Node's parsed headers join those that repeat, and a group name may
 * contain the separator.
 */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/** From Node's flat list of names and values. Node decodes values as Latin-1, although clients send UTF-8. */
export function rawHeadersOf(flat: readonly string[]): RawHeaders {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    headers.push([
      (flat[index] ?? '').toLowerCase(),
      Buffer.from(flat[index + 1] ?? '', 'latin1').toString('utf8'),
    ]);
  return headers;
}

/** The key in an `Impersonate-Extra-` header name. It is percent-encoded, unless the encoding is invalid. */
export function extraKey(encoded: string): string {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return encoded;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
