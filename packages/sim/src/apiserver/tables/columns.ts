import type { Json, JsonObject } from '@karpenter/core/schema';
import { textAt, valueAt } from '../kinds/draft.ts';
import type { TableColumn, TableView } from '../kinds/served-kind.ts';
import { ageCell } from './age.ts';

export type Cell = (object: JsonObject, nowMs: number) => Json;

/** A column and how to compute its cell. */
export interface Column extends TableColumn {
  readonly cell: Cell;
}

export interface ColumnOptions {
  readonly type?: TableColumn['type'];
  readonly format?: string;
  /** Only shown with `-o wide`. */
  readonly isWide?: boolean;
}

export function column(name: string, cell: Cell, options: ColumnOptions = {}): Column {
  const { type = 'string', format = '', isWide = false } = options;
  return { name, cell, type, format, description: '', priority: isWide ? 1 : 0 };
}

export const wide = (name: string, cell: Cell): Column => column(name, cell, { isWide: true });
export const integer = (name: string, cell: Cell): Column => column(name, cell, { type: 'integer' });
export const boolean = (name: string, cell: Cell): Column => column(name, cell, { type: 'boolean' });

export const nameText: Cell = (object) => textAt(object, 'metadata', 'name');
export const name = column('Name', nameText, { format: 'name' });
export const age = column('Age', ageCell);
export const createdAt = column('Created At', (object) => textAt(object, 'metadata', 'creationTimestamp'), {
  type: 'date',
});

/** The string at a path of the object, or a placeholder. */
export const text =
  (path: string, none = ''): Cell =>
  (object) =>
    textAt(object, ...path.split('.')) || none;

/** The number at a path of the object. */
export const count =
  (path: string): Cell =>
  (object) =>
    valueAt(object, ...path.split('.')) ?? 0;

/** The number of items or entries at a path of the object. */
export const size =
  (path: string): Cell =>
  (object) =>
    Object.keys(valueAt(object, ...path.split('.')) ?? {}).length;

export const flag =
  (path: string): Cell =>
  (object) =>
    valueAt(object, ...path.split('.')) === true;

export function table(...columns: readonly Column[]): TableView {
  return {
    columns: columns.map(({ cell: _, ...definition }) => definition),
    cells: (object, nowMs) => columns.map(({ cell }) => cell(object, nowMs)),
  };
}

/** The first few items of a list, and the number of the others. */
export function shortList(items: readonly string[], most: number, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}
