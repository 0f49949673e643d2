import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import type { TableColumn, TableView } from '../kinds/served-kind.ts';
import { since } from './age.ts';
import { age, type Column, column, name, table } from './columns.ts';
import { type JsonPath, parseJsonPath } from './json-path.ts';

/** One of `additionalPrinterColumns`. */
export interface PrintedColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
}

/**
 * The columns of a custom resource: its name and the columns of its definition. Without any, or without any
 * that parses, its age; the real server accepts such a definition too.
 */
export function customTable(printerColumns: readonly PrintedColumn[]): TableView {
  if (printerColumns.length === 0) return usualTable;
  try {
    return table(name, ...printerColumns.map(customColumn));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return usualTable;
  }
}

const usualTable = table(name, { ...age, type: 'date' });

function customColumn(printed: PrintedColumn): Column {
  const path = parseJsonPath(printed.jsonPath);
  const type = columnType(printed.type);
  return {
    ...column(printed.name, (object, nowMs) => cell(path, type, object, nowMs), { type }),
    format: printed.format ?? '',
    description:
      printed.description ?? `Custom resource definition column (in JSONPath format): ${printed.jsonPath}`,
    priority: printed.priority ?? 0,
  };
}

function columnType(type: string): TableColumn['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' || type === 'date' ? type : 'string';
}

function cell(path: JsonPath, type: TableColumn['type'], object: Json, nowMs: number): Json {
  const value = path(object);
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return stringCell(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? dateCell(value, nowMs) : null;
  }
}

const dateCell = (text: string, nowMs: number) =>
  Number.isNaN(Date.parse(text)) ? '<invalid>' : since(text, nowMs);

/** Go templates print nil as text of its own, and objects and lists as JSON. */
function stringCell(value: Json): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? JSON.stringify(sorted(value)) : String(value);
}

function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
