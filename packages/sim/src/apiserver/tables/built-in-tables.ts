import type { Json, JsonObject } from '@karpenter/core/schema';
import { textAt } from '../kinds/draft.ts';
import type { TableColumn, TableView } from '../kinds/served-kind.ts';
import { ageCell } from './age.ts';

export type Cell = (object: JsonObject, nowMs: number) => Json;

const column = (
  name: string,
  type: TableColumn['type'] = 'string',
  format = '',
  priority = 0,
): TableColumn => ({
  name,
  type,
  format,
  description: '',
  priority,
});

const plain: TableView = {
  columns: [column('Name', 'string', 'name'), column('Age')],
  cells: (object, nowMs) => [textAt(object, 'metadata', 'name'), ageCell(object, nowMs)],
};

export function builtInTable(_group: string, _kind: string): TableView {
  return plain;
}
