import { type Comparison, changedFields } from './comparison.ts';
import { difference, type FieldSet, fieldSetOf, intersection, isEmptySet } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';

const metadata = 'f:metadata';
const serverManaged = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
];

/** Fields that only the server sets; they have no owner. */
const strippedFields = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  [metadata],
  ...[...serverManaged, 'managedFields', 'resourceVersion'].map((name) => [metadata, `f:${name}`]),
);

export function withoutServerFields(fields: FieldSet): FieldSet {
  return difference(fields, strippedFields);
}

/** For each manager except one, the owned fields that the write changed. */
export function contestedFields(
  managers: Managers,
  comparison: Comparison,
  except: string,
): Map<string, FieldSet> {
  const changed = changedFields(comparison);
  const contested = new Map<string, FieldSet>();
  if (isEmptySet(changed)) return contested;
  for (const [id, { fields }] of managers) {
    if (id === except) continue;
    const shared = intersection(fields, changed);
    if (!isEmptySet(shared)) contested.set(id, shared);
  }
  return contested;
}

/** Removes changed and deleted fields from all managers except one. A manager without fields is removed. */
export function yieldFields(managers: Managers, comparison: Comparison, except: string): void {
  for (const [id, lost] of contestedFields(managers, comparison, except)) removeOwned(managers, id, lost);
  for (const id of [...managers.keys()]) if (id !== except) removeOwned(managers, id, comparison.removed);
}

function removeOwned(managers: Managers, id: string, lost: FieldSet): void {
  const manager = managers.get(id);
  if (manager !== undefined)
    setFields(managers, id, { ...manager, fields: difference(manager.fields, lost) });
}

export function setFields(managers: Managers, id: string, manager: Manager): void {
  if (isEmptySet(manager.fields)) managers.delete(id);
  else managers.set(id, manager);
}
