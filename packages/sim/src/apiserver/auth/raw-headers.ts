/** Headers one by one, names in lower case: Node joins those that occur twice. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/** From Node's flat list. Values are bytes there, a character each, and UTF-8 in fact. */
export function rawHeadersOf(flat: readonly string[]): RawHeaders {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    headers.push([
      (flat[index] ?? '').toLowerCase(),
      Buffer.from(flat[index + 1] ?? '', 'latin1').toString('utf8'),
    ]);
  return headers;
}

/** A key of extra information from the end of a header's name, where it is percent-encoded if it must be. */
export function extraKey(encoded: string): string {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return encoded;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
