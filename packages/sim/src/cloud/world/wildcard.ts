const anyText = Symbol('*');
const anyCharacter = Symbol('?');
type Sign = string | typeof anyText | typeof anyCharacter;

/** Parsed patterns, cleared when full: filters and faults use few patterns, each very often. */
const parsed = new Map<string, readonly Sign[]>();
const maxParsed = 10_000;
/** Longer ones come from nobody who repeats them, and would fill the memory. */
const longestKept = 300;

/**
 * Matches the wildcards of EC2 filters: `*` is any text, `?` is one character, and a backslash escapes them. Not by a
 * regular expression, which tries every way to divide the text between several `*`.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const signs = signsOf(pattern);
  let [sign, at] = [0, 0];
  // Where the last `*` is, and where the text that it takes ends. Only that one has to take more.
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
  if (pattern.length > longestKept) return signs;
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(pattern, signs);
  return signs;
}

function signOf(token: string): Sign {
  if (token.startsWith('*')) return anyText;
  if (token === '?') return anyCharacter;
  return token.length === 2 ? token.slice(1) : token;
}
