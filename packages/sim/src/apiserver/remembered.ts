const longestText = 256;
const mostTexts = 1_000;

/**
 * The same function, which remembers what it said of recent texts: quantities, times, names and media types come by
 * the thousand and are few. What it throws is thrown anew.
 */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const recent = new Map<string, { readonly result: T }>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known.result;
    const result = work(text);
    if (text.length > longestText) return result;
    if (recent.size >= mostTexts) recent.clear();
    recent.set(text, { result });
    return result;
  };
}
