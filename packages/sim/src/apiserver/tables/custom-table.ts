import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import type { TableColumn, TableView } from '../kinds/served-kind.ts';
import { since } from './age.ts';
import { age, name, nameText, table } from './columns.ts';
import { type JsonPath, parseJsonPath, type SearchBudget } from './json-path.ts';

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
    return tableOf(printerColumns.map(customColumn));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return usualTable;
  }
}

const usualTable = table(name, { ...age, type: 'date' });

/** Limits on one row: a few milliseconds of search, and text of the size of a few objects (ADR 0066). */
const maxVisits = 20_000;
const maxCharacters = 3 * 1024 * 1024;

/** The remaining budget of one row. Cells beyond it are empty. */
interface RowBudget extends SearchBudget {
  charactersLeft: number;
}

interface CustomColumn {
  readonly definition: TableColumn;
  readonly path: JsonPath;
}

function tableOf(columns: readonly CustomColumn[]): TableView {
  return {
    columns: [...nameColumns, ...columns.map(({ definition }) => definition)],
    cells: (object, nowMs) => {
      const budget: RowBudget = { visitsLeft: maxVisits, charactersLeft: maxCharacters };
      const custom = columns.map(({ definition: { type }, path }) =>
        cell(path(object, budget), { type, nowMs, budget }),
      );
      return [nameText(object, nowMs), ...custom];
    },
  };
}

const nameColumns = table(name).columns;

function customColumn(printed: PrintedColumn): CustomColumn {
  return {
    definition: {
      name: printed.name,
      type: columnType(printed.type),
      format: printed.format ?? '',
      description:
        printed.description ?? `Custom resource definition column (in JSONPath format): ${printed.jsonPath}`,
      priority: printed.priority ?? 0,
    },
    path: parseJsonPath(printed.jsonPath),
  };
}

function columnType(type: string): TableColumn['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' || type === 'date' ? type : 'string';
}

interface CellContext {
  readonly type: TableColumn['type'];
  readonly nowMs: number;
  readonly budget: RowBudget;
}

function cell(value: Json | undefined, { type, nowMs, budget }: CellContext): Json {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return stringCell(value, budget);
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
function stringCell(value: Json, budget: RowBudget): string | null {
  if (value === null) return '<no value>';
  if (budget.charactersLeft < 0) return null;
  const text = typeof value === 'object' ? JSON.stringify(sorted(value)) : String(value);
  budget.charactersLeft -= text.length;
  return text;
}

function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
