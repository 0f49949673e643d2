import type { KubeObject, ObjectKey } from './kind.ts';

/** `namespace/name`, or `name` for kinds without namespaces: how queues and caches name objects. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object that a server returned; those always have a name. */
export function keyOf({ metadata }: KubeObject): ObjectKey {
  const { name = '', namespace } = metadata ?? {};
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
