import { cut, type Line } from './text.ts';

/** What a terminal shows: one style and one character for each cell. */
export interface Frame {
  readonly columns: number;
  readonly rows: readonly FrameRow[];
}

interface FrameRow {
  readonly characters: readonly string[];
  readonly styles: readonly string[];
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Lines cut and filled to the size of the screen. */
export function frameOf(lines: readonly Line[], { columns, rows }: ScreenSize): Frame {
  return {
    columns,
    rows: Array.from({ length: rows }, (_, index) => frameRow(cut(lines[index] ?? [], columns), columns)),
  };
}

function frameRow(line: Line, columns: number): FrameRow {
  const characters: string[] = [];
  const styles: string[] = [];
  for (const { text, style } of line) {
    for (const character of text) {
      characters.push(character);
      styles.push(style);
    }
  }
  while (characters.length < columns) {
    characters.push(' ');
    styles.push('');
  }
  return { characters, styles };
}

const csi = '\u001b[';
const clear = `${csi}0m${csi}2J`;

/**
 * What to write so that a terminal that shows `before` shows `after`: only the cells that differ, so that
 * nothing flickers. Without a frame before, or after a resize, the screen is cleared first.
 */
export function changes(before: Frame | undefined, after: Frame): string {
  const isSameSize = before?.columns === after.columns && before.rows.length === after.rows.length;
  const known = isSameSize ? before : undefined;
  const written = after.rows.map((row, index) => rowChanges(known?.rows[index], row, index)).join('');
  return known === undefined ? `${clear}${written}` : written;
}

function rowChanges(before: FrameRow | undefined, after: FrameRow, index: number): string {
  let written = '';
  let column = 0;
  while (column < after.characters.length) {
    if (isSame(before, after, column)) {
      column += 1;
      continue;
    }
    const end = endOfChange(before, after, column);
    written += `${csi}${index + 1};${column + 1}H${runText(after, column, end)}`;
    column = end;
  }
  return written;
}

function endOfChange(before: FrameRow | undefined, after: FrameRow, start: number): number {
  let end = start + 1;
  while (end < after.characters.length && !isSame(before, after, end)) end += 1;
  return end;
}

/** Cells of a cleared screen count as blanks. */
function isSame(before: FrameRow | undefined, { characters, styles }: FrameRow, column: number): boolean {
  const character = before === undefined ? ' ' : before.characters[column];
  const style = before === undefined ? '' : before.styles[column];
  return character === characters[column] && style === styles[column];
}

function runText({ characters, styles }: FrameRow, start: number, end: number): string {
  let text = '';
  let style = '';
  for (let column = start; column < end; column += 1) {
    const next = styles[column] ?? '';
    if (next !== style) text += `${csi}${next === '' ? '0' : `0;${next}`}m`;
    style = next;
    text += characters[column] ?? ' ';
  }
  return style === '' ? text : `${text}${csi}0m`;
}
