import type { Json, JsonObject } from '@karpenter/core/schema';

/** A copy in which every name, even `__proto__`, is an ordinary member. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  if (name !== '__proto__') return { ...object, [name]: value };
  return Object.fromEntries([...Object.entries(object).filter(([other]) => other !== name), [name, value]]);
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

/** What a merge is written into. */
export type Draft = Record<string, Json>;

/** Has no prototype where a name asks for that, so that every name is an ordinary member; such objects are slow. */
export function draftOf(object: JsonObject, patch: JsonObject): Draft {
  const isUsual = !Object.hasOwn(object, '__proto__') && !Object.hasOwn(patch, '__proto__');
  return isUsual ? { ...object } : Object.assign(Object.create(null), object);
}

/** The finished object with the usual prototype, which makes it equal to a parsed one. */
export function finished(draft: Draft): JsonObject {
  return Object.getPrototypeOf(draft) === null ? Object.fromEntries(Object.entries(draft)) : draft;
}
