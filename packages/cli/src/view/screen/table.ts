import { cut, type Line, padded, plain, widthOf } from './text.ts';

/** Cells of one line of a table; missing cells are blank. */
export type TableRow = readonly Line[];

export interface TableOptions {
  readonly width: number;
  /** Columns that may be cut to fit, with the least width to leave, in the order in which they are cut. */
  readonly shrinkable: readonly { readonly column: number; readonly least: number }[];
}

/** Pads columns to their widest cell, leaves out those that are blank in every row, and cuts some to fit. */
export function tableLines(rows: readonly TableRow[], { width, shrinkable }: TableOptions): readonly Line[] {
  const widths = columnWidths(rows);
  for (const { column, least } of shrinkable) shrink(widths, { column, least, width });
  return rows.map((row) =>
    widths.flatMap((columnWidth, column) =>
      columnWidth === 0 ? [] : [...padded(cut(row[column] ?? [], columnWidth), columnWidth), plain(' ')],
    ),
  );
}

export function columnWidths(rows: readonly TableRow[]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  return widths;
}

/** With one blank after each column that is shown. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 1), 0) - 1;
}

function shrink(
  widths: number[],
  { column, least, width }: { readonly column: number; readonly least: number; readonly width: number },
): void {
  const excess = tableWidth(widths) - width;
  const own = widths[column] ?? 0;
  if (excess > 0 && own > least) widths[column] = Math.max(least, own - excess);
}
