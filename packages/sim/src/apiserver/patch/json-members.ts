import type { Json, JsonObject } from '@karpenter/core/schema';
import type { Draft } from '../kinds/draft.ts';

/** A copy with the member set. `__proto__` is an ordinary member: clients may send it. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  if (name !== '__proto__') return { ...object, [name]: value };
  return Object.fromEntries([...Object.entries(object).filter(([other]) => other !== name), [name, value]]);
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

/**
 * A mutable copy. It has no prototype if a name is `__proto__`, so that this is an ordinary member; other
 * objects keep theirs, since objects without prototype are slow.
 */
export function draftOf(object: JsonObject, patch: JsonObject): Draft {
  const isUsual = !Object.hasOwn(object, '__proto__') && !Object.hasOwn(patch, '__proto__');
  return isUsual ? { ...object } : Object.assign(Object.create(null), object);
}

/** The result with the usual prototype, which makes it equal to a parsed object. */
export function finished(draft: Draft): JsonObject {
  return Object.getPrototypeOf(draft) === null ? Object.fromEntries(Object.entries(draft)) : draft;
}
