import type { Kind, ObjectKey } from './kind.ts';

type Parameter = string | number | boolean | undefined;

/** The `apiVersion` that objects of a kind carry. */
export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Where all objects of a kind are, or those of one namespace. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const inside = kind.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${inside}/${kind.plural}`;
}

export function objectPath(kind: Kind, { namespace, name }: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `?a=1&b=2` of the parameters that have a value, else nothing. */
export function query(parameters: Readonly<Record<string, Parameter>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** How messages name an object: `pods "web" in namespace "shop"`. */
export function describeObject(kind: Kind, key: Partial<ObjectKey>): string {
  const name = key.name === undefined ? kind.plural : `${kind.plural} "${key.name}"`;
  return key.namespace === undefined ? name : `${name} in namespace "${key.namespace}"`;
}
