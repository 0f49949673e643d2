import type { FieldChange } from './explanation.ts';

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/** The object after the changes, which are applied in order. Throws if a path leads nowhere. */
export function patched<T extends object>(object: T, patch: readonly FieldChange[]): T {
  // The type is kept because changes are written for the schema of the object.
  return patch.reduce<unknown>((current, change) => changed(current, pathOf(change), change), object) as T;
}

/** A JSON pointer to the member that the names lead to. */
export function pointer(...names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function pathOf({ path }: FieldChange): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function changed(value: unknown, [name = '', ...below]: readonly string[], change: FieldChange): unknown {
  if (!isContainer(value)) throw new Error(`${change.path} leads to nothing that can be changed`);
  if (below.length > 0) return withMember(value, name, changed(memberOf(value, name), below, change));
  if (change.op === 'remove') return withoutMember(value, name);
  return change.op === 'add' && isList(value)
    ? value.toSpliced(name === '-' ? value.length : Number(name), 0, change.value)
    : withMember(value, name, change.value);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isList(value: Container): value is readonly unknown[] {
  return Array.isArray(value);
}

function memberOf(value: Container, name: string): unknown {
  return isList(value) ? value[Number(name)] : value[name];
}

function withMember(value: Container, name: string, member: unknown): Container {
  return isList(value) ? value.with(Number(name), member) : { ...value, [name]: member };
}

function withoutMember(value: Container, name: string): Container {
  if (isList(value)) return value.toSpliced(Number(name), 1);
  const { [name]: _removed, ...rest } = value;
  return rest;
}
