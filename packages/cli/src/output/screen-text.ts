import type { Terminal } from '../terminal.ts';
import { wrapped } from './columns.ts';

/** Narrower screens get lines of this width: narrower text is harder to read than lines that the screen breaks. */
const leastWidth = 40;

/** Columns of the terminal, if they are known. */
export function widthOf({ columns }: Terminal): number | undefined {
  const width = columns?.();
  return width === undefined ? undefined : Math.max(leastWidth, width);
}

/** Text for people, wrapped at the width of the terminal where it has one. Rows of tables stay as they are. */
export function screenText(text: string, terminal: Terminal): string {
  const width = widthOf(terminal);
  if (width === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): readonly string[] {
  const [, indent = '', words = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
  if (line.length <= width || words.includes('  ')) return [line];
  return wrapped(words, width - indent.length).map((part) => `${indent}${part}`);
}
