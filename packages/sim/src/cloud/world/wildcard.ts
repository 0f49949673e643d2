/** Compiled patterns, cleared when full: filters and faults use few patterns, each very often. */
const compiled = new Map<string, RegExp>();
const maxCompiled = 10_000;

/**
 * Matches the wildcards of EC2 filters: `*` is any text, `?` is one character, and a backslash escapes them.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return patternOf(pattern).test(text);
}

function patternOf(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replace(/\\[*?\\]|[*?]|[^\w\s]/g, translate);
  const expression = new RegExp(`^${source}$`, 's');
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}

function translate(sign: string): string {
  if (sign === '*') return '.*';
  if (sign === '?') return '.';
  return sign.length === 2 ? sign : `\\${sign}`;
}
