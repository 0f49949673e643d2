/** A piece of a line in one style. The style is the parameters of an SGR sequence; empty is the terminal's own. */
export interface Span {
  readonly text: string;
  readonly style: string;
}

export type Line = readonly Span[];

export const plain = (text: string): Span => ({ text, style: '' });
export const styled = (text: string, style: string): Span => ({ text, style });
export const dim = '2';
export const bold = '1';

/**
 * Keeps characters that take one cell in every terminal and replaces the others. Messages of events may hold
 * anything, escape sequences included.
 */
export function printable(text: string): string {
  return text.replace(
    /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u259f]/gu,
    '?',
  );
}

export function widthOf(line: Line): number {
  return line.reduce((width, { text }) => width + text.length, 0);
}

export function padded(line: Line, width: number, align: 'left' | 'right' = 'left'): Line {
  const space = plain(' '.repeat(Math.max(0, width - widthOf(line))));
  return align === 'left' ? [...line, space] : [space, ...line];
}

/** Cuts a line that is too wide and ends it with an ellipsis, unless only blanks are cut off. */
export function cut(line: Line, width: number): Line {
  if (widthOf(line) <= width) return line;
  if (textOf(line).length <= width) return beginning(line, width);
  return width <= 0 ? [] : [...beginning(line, width - 1), plain('…')];
}

function beginning(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = Math.max(0, width);
  for (const { text, style } of line) {
    if (left <= 0) break;
    kept.push({ text: text.slice(0, left), style });
    left -= text.length;
  }
  return kept;
}

export function textOf(line: Line): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}
