export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Longer cells are cut. */
  readonly atMost?: number;
}

const gap = '  ';

/** Aligned columns under their titles. */
export function columnLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const lines = [columns.map(({ title }) => title), ...rows].map((row) =>
    row.map((cell, index) => shortened(cell, columns[index]?.atMost)),
  );
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines.map((line) =>
    line
      .map((cell, index) => padded(cell, columns[index], widths[index]))
      .join(gap)
      .trimEnd(),
  );
}

function shortened(text: string, atMost = Number.POSITIVE_INFINITY): string {
  return text.length <= atMost ? text : `${text.slice(0, atMost - 1)}…`;
}

function padded(text: string, column: Column | undefined, width = 0): string {
  return column?.align === 'right' ? text.padStart(width) : text.padEnd(width);
}

/** Words in lines of at most `width` characters; a longer word has a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
