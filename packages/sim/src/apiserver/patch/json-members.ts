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

/** What a merge is written into: no prototype, so every name is an ordinary member. */
export type Draft = Record<string, Json>;

export function draftOf(object: JsonObject): Draft {
  return Object.assign(Object.create(null), object);
}

/** The finished object with the usual prototype, which makes it faster to read and equal to a parsed one. */
export function finished(draft: Draft): JsonObject {
  return '__proto__' in draft ? Object.fromEntries(Object.entries(draft)) : { ...draft };
}
