/** Names that CEL reserves. */
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

/** Escapes a field name that is no CEL identifier, as the API server does: `a-b` becomes `a__dash__b`. */
export function escapedName(name: string): string {
  if (keywords.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => escapes[part] ?? part);
}
