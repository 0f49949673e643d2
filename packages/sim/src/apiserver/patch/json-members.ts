import type { JsonObject } from '@karpenter/core/schema';
import type { Draft } from '../kinds/draft.ts';

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
