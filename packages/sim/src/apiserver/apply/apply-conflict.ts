import { StatusError } from '../status/status-error.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { inElementOrder, pathText } from './path-element.ts';

interface Conflict {
  readonly owner: string;
  readonly path: string;
}

/** The 409 that lists every conflicting field with its owner. */
export function applyConflict(managers: Managers, contested: ReadonlyMap<string, FieldSet>): StatusError {
  const conflicts = [...contested]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, fields]) => conflictsWith(managers.get(id), fields));
  return new StatusError(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ owner, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${owner}`,
      field: path,
    })),
  });
}

function conflictsWith(manager: Manager | undefined, fields: FieldSet): readonly Conflict[] {
  if (manager === undefined) return [];
  const owner = managerText(manager);
  return [...pathsOf(inElementOrder(fields))].map((path) => ({ owner, path: pathText(path) }));
}

function managerText({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager);
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${name}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first, ...others] = conflicts;
  if (first !== undefined && others.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.path}`;
  }
  const lines = [...pathsByOwner(conflicts)].flatMap(([owner, paths]) => [
    `conflicts with ${owner}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function pathsByOwner(conflicts: readonly Conflict[]): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const { owner, path } of conflicts) {
    const paths = owners.get(owner);
    if (paths === undefined) owners.set(owner, [path]);
    else paths.push(path);
  }
  return owners;
}
