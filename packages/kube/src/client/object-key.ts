import type { KubeObject, ObjectKey } from './kind.ts';

/** Formats a key as `namespace/name`, or `name` for cluster-scoped kinds. Queues and caches use this text. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Inverse of `keyText`. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Returns the key of an object from the server, which always has a name. */
export function keyOf({ metadata }: KubeObject): ObjectKey {
  const { name = '', namespace } = metadata ?? {};
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
