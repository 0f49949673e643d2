import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { useTranslator } from '../session/index.ts';

export interface RowColumn<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface VirtualTableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly RowColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly isSelected: (row: Row) => boolean;
}

const rowHeight = 32;

/** A table of any length: only the rows in sight exist. */
export function VirtualTable<Row>({ title, rows, columns, ...row }: VirtualTableProps<Row>) {
  const frame = useRef<HTMLElement>(null);
  const { text, format } = useTranslator();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  return (
    <>
      <h2 className="list-title">
        {title} <span className="muted">{format.count(rows.length)}</span>
      </h2>
      {rows.length === 0 && <p className="muted list-none">{text('list.none')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={frame} className="table-frame" tabIndex={0} aria-label={title}>
        <table className="table" aria-rowcount={rows.length}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.title}
                  scope="col"
                  className={column.isNumber === true ? 'number' : undefined}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer height={virtualizer.getVirtualItems()[0]?.start ?? 0} columns={columns.length} />
            {virtualizer.getVirtualItems().map(({ index }) => {
              const shown = rows[index];
              return shown === undefined ? null : (
                <TableRow key={row.keyOf(shown)} {...row} row={shown} columns={columns} index={index} />
              );
            })}
            <Spacer
              height={virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0)}
              columns={columns.length}
            />
          </tbody>
        </table>
      </section>
    </>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td className="table-spacer" colSpan={columns} style={{ height }} />
    </tr>
  );
}

interface TableRowProps<Row>
  extends Pick<VirtualTableProps<Row>, 'columns' | 'keyOf' | 'onOpen' | 'isSelected'> {
  readonly row: Row;
  readonly index: number;
}

function TableRow<Row>({ row, index, columns, onOpen, isSelected }: TableRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} className={isSelected(row) ? 'is-selected' : undefined}>
      {columns.map(({ title, isNumber, cell }, position) => (
        <td key={title} className={isNumber === true ? 'number' : undefined}>
          {position === 0 ? (
            <button type="button" className="link" onClick={() => onOpen(row)}>
              {cell(row)}
            </button>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
