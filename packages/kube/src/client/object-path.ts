import type { Kind, ObjectKey } from './kind.ts';

type Parameter = string | number | boolean | undefined;

/** Returns the `apiVersion` of a kind's objects. */
export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the path of a kind's objects, in all namespaces or in one. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const inside = kind.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${inside}/${kind.plural}`;
}

export function objectPath(kind: Kind, { namespace, name }: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Formats the defined parameters as `?a=1&b=2`; empty if there are none. */
export function query(parameters: Readonly<Record<string, Parameter>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Names an object in error messages: `pods "web" in namespace "shop"`. */
export function describeObject(kind: Kind, key: Partial<ObjectKey>): string {
  const name = key.name === undefined ? kind.plural : `${kind.plural} "${key.name}"`;
  return key.namespace === undefined ? name : `${name} in namespace "${key.namespace}"`;
}
