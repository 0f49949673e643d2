import { type Terminal, widthOf } from '../terminal.ts';
import { wrappedLines } from '../wrapped-text.ts';

/** Text for people, wrapped at the width of the terminal where it has one. Rows of tables stay as they are. */
export function screenText(text: string, terminal: Terminal): string {
  const width = widthOf(terminal);
  if (width === undefined) return text;
  return wrappedLines(text, width);
}
