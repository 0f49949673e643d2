import { type Terminal, widthOf } from '../terminal.ts';
import { wrapped } from '../wrapped-text.ts';

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
