const compiled = new Map<string, RegExp>();
const most = 10_000;

/** EC2's patterns: `*` for any text, `?` for one character, a backslash takes their meaning away. */
export function matchesPattern(pattern: string, text: string): boolean {
  return patternOf(pattern).test(text);
}

function patternOf(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replace(/\\[*?\\]|[*?]|[^\w\s]/g, translate);
  const expression = new RegExp(`^${source}$`, 's');
  if (compiled.size >= most) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}

function translate(sign: string): string {
  if (sign === '*') return '.*';
  if (sign === '?') return '.';
  return sign.length === 2 ? sign : `\\${sign}`;
}
