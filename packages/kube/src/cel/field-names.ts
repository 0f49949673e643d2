const keywords = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name by which a rule reaches a field whose own name CEL could not read: `a-b` is `a__dash__b`. */
export function escapedName(name: string): string {
  if (keywords.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => escapes[part] ?? part);
}
