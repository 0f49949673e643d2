/**
 * Splits a command line as a shell does: quotes keep words together, and a backslash at the end of a line
 * continues it.
 */
export function wordsOf(line: string): readonly string[] {
  const joined = line.replaceAll(/\\\r?\n/g, ' ');
  const pattern = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs;
  return [...joined.matchAll(pattern)].map(([word]) => unquoted(word));
}

function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) =>
    String(single ?? double?.replaceAll(/\\(.)/gs, '$1') ?? escaped),
  );
}

/** The value of each option, given as `--name value` or `--name=value`, by name. */
export function optionsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  words.forEach((word, index) => {
    if (!word.startsWith('-')) return;
    const [name = '', ...value] = word.split('=');
    options.set(name, value.length > 0 ? value.join('=') : (words[index + 1] ?? ''));
  });
  return options;
}
