/** Code points from the first to the last. */
type Range = readonly [first: number, last: number];

const last = 0x10ffff;
const ofText = (...pairs: readonly string[]): readonly Range[] =>
  pairs.map((pair) => [pair.codePointAt(0) ?? 0, pair.codePointAt(pair.length - 1) ?? 0]);
const graphic: readonly Range[] = [[0x21, 0x7e]];

/** The classes of RE2 that contain ASCII only, by the letter or the name that selects them. */
const namedRanges: Readonly<Record<string, readonly Range[]>> = {
  d: ofText('09'),
  s: ofText('\t\n', '\f\r', '  '),
  w: ofText('09', 'AZ', '__', 'az'),
  alnum: ofText('09', 'AZ', 'az'),
  alpha: ofText('AZ', 'az'),
  ascii: [[0, 0x7f]],
  blank: ofText('\t\t', '  '),
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: ofText('09'),
  graph: graphic,
  lower: ofText('az'),
  print: [[0x20, 0x7e]],
  punct: ofText('!/', ':@', '[`', '{~'),
  space: ofText('\t\r', '  '),
  upper: ofText('AZ'),
  word: ofText('09', 'AZ', '__', 'az'),
  xdigit: ofText('09', 'AF', 'af'),
};

/** The items of a JavaScript class for `\d`, `[:alpha:]` and the like; undefined if RE2 has none of this name. */
export function namedClass(name: string, isNegated: boolean): string | undefined {
  const ranges = Object.hasOwn(namedRanges, name) ? namedRanges[name] : undefined;
  if (ranges === undefined) return undefined;
  return (isNegated ? complement(ranges) : ranges).map(rangeText).join('');
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const starts = [0, ...ranges.map(([, end]) => end + 1)];
  const ends = [...ranges.map(([start]) => start - 1), last];
  return starts.map((start, index): Range => [start, ends[index] ?? last]).filter(([a, b]) => a <= b);
}

/** The items of a JavaScript class for a range; with both cases of its ASCII letters if `isCaseless`. */
export function rangeItems(range: Range, isCaseless: boolean): string {
  const both = isCaseless ? [shifted(range, 'A', 32), shifted(range, 'a', -32)].flat() : [];
  return [range, ...both].map(rangeText).join('');
}

/** The part of a range that lies in the 26 letters from `first` on, moved to the other case. */
function shifted([from, to]: Range, first: string, by: number): readonly Range[] {
  const start = Math.max(from, first.charCodeAt(0));
  const end = Math.min(to, first.charCodeAt(0) + 25);
  return start <= end ? [[start + by, end + by]] : [];
}

function rangeText([from, to]: Range): string {
  return from === to ? codePoint(from) : `${codePoint(from)}-${codePoint(to)}`;
}

/** A code point in a form that has no other meaning, in a class and outside. */
export function codePoint(code: number): string {
  const character = String.fromCodePoint(code);
  return /[0-9A-Za-z]/.test(character) ? character : `\\u{${code.toString(16)}}`;
}
