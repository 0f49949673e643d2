const anyText = Symbol('*');
const anyCharacter = Symbol('?');
type Sign = string | typeof anyText | typeof anyCharacter;

/** Parsed patterns, cleared when full: filters and faults use few patterns, each very often. */
const parsed = new Map<string, readonly Sign[]>();
const maxParsed = 10_000;
/** Longer patterns are not cached: they are rarely repeated and would use much memory. */
const maxCachedLength = 300;

/**
 * Matches the wildcards of EC2 filters: `*` is any text, `?` is one character, and a backslash escapes them. Not
 * with a regular expression, which backtracks over every way to divide the text between several `*`.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const signs = signsOf(pattern);
  let [sign, at] = [0, 0];
  // The last `*` and the end of the text it matches. After a mismatch only that one has to match more.
  let [star, taken] = [-1, 0];
  while (at < text.length) {
    if (signs[sign] === anyText) [star, taken, sign] = [sign, at, sign + 1];
    else if (signs[sign] === anyCharacter || signs[sign] === text[at]) [sign, at] = [sign + 1, at + 1];
    else if (star < 0) return false;
    else [taken, sign, at] = [taken + 1, star + 1, taken + 1];
  }
  while (signs[sign] === anyText) sign += 1;
  return sign === signs.length;
}

function signsOf(pattern: string): readonly Sign[] {
  const known = parsed.get(pattern);
  if (known !== undefined) return known;
  const signs = (pattern.match(/\\[*?\\]|\*+|[^*]/gs) ?? []).map(signOf);
  if (pattern.length > maxCachedLength) return signs;
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(pattern, signs);
  return signs;
}

function signOf(token: string): Sign {
  if (token.startsWith('*')) return anyText;
  if (token === '?') return anyCharacter;
  return token.length === 2 ? token.slice(1) : token;
}
