export interface OutputColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Longer cells are truncated. */
  readonly maxWidth?: number;
}

const gap = '  ';

/** Renders rows as aligned columns under their titles. */
export function columnLines(
  columns: readonly OutputColumn[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const lines = [columns.map(({ title }) => title), ...rows].map((row) =>
    row.map((cell, index) => shortened(cell, columns[index]?.maxWidth)),
  );
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines.map((line) =>
    line
      .map((cell, index) => padded(cell, columns[index], widths[index]))
      .join(gap)
      .trimEnd(),
  );
}

function shortened(text: string, maxWidth = Number.POSITIVE_INFINITY): string {
  return text.length <= maxWidth ? text : `${text.slice(0, maxWidth - 1)}…`;
}

function padded(text: string, column: OutputColumn | undefined, width = 0): string {
  return column?.align === 'right' ? text.padStart(width) : text.padEnd(width);
}
