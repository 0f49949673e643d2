// Bounds of one cache: at most 1,000 texts of at most 256 characters.
const maxTextLength = 256;
const maxTexts = 1_000;

/**
 * Memoizes a function of a text. Quantities, times, names and media types are parsed by the thousand, but few
 * of them differ. A full cache is cleared, which is cheaper than tracking use. Errors are not cached.
 */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const recent = new Map<string, { readonly result: T }>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known.result;
    const result = work(text);
    if (text.length > maxTextLength) return result;
    if (recent.size >= maxTexts) recent.clear();
    recent.set(text, { result });
    return result;
  };
}
