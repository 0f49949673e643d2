import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { maxObjectBytes, tooLargeToStore } from '../store/index.ts';

/** Defaults of built-in kinds do not make a body of this size larger than `maxObjectBytes`; those of a CRD may. */
const smallBodyBytes = 16 * 1024;
/** `"f:":{},`: bytes that managed fields add for each member, in addition to its name. */
const ownedMemberBytes = 8;

/**
 * Rejects an object that is too large to store before decoding and validating it, which take many times as long as
 * measuring it. Counts the managed fields that the server will add, not those in the body.
 *
 * @returns whether the body is so small that a built-in kind with its defaults can be stored too
 */
export function requireStorableBody(body: JsonObject): { readonly isSmall: boolean } {
  const { metadata, ...rest } = body;
  const size = new MeasuredSize(ownedMemberBytes);
  size.add(rest);
  if (metadata !== undefined && isJsonObject(metadata)) {
    const { managedFields: _, ...others } = metadata;
    size.add(others);
    // Finalizers are a set, so managed fields list each of them.
    if (isJsonArray(others['finalizers'])) size.addSet(others['finalizers']);
  }
  return { isSmall: size.bytes <= smallBodyBytes };
}

/** Rejects an object that is too large to store, before work is done on it. */
export function requireStorable(object: JsonObject): void {
  new MeasuredSize(0).add(object);
}

/** Approximate size of JSON: a character counts as one byte. Throws as soon as the limit is exceeded. */
class MeasuredSize {
  readonly #memberBytes: number;
  #left = maxObjectBytes;

  constructor(memberBytes: number) {
    this.#memberBytes = memberBytes;
  }

  get bytes(): number {
    return maxObjectBytes - this.#left;
  }

  add(value: Json): void {
    if (isJsonArray(value)) {
      this.#take(2 + value.length);
      for (const item of value) this.add(item);
    } else if (isJsonObject(value)) this.#addMembers(value);
    else this.#take(typeof value === 'string' ? value.length + 2 : 4);
  }

  /** Adds the items of a set with their managed fields. */
  addSet(items: readonly Json[]): void {
    this.#take(items.length * this.#memberBytes);
    this.add(items);
  }

  #addMembers(object: JsonObject): void {
    const factor = this.#memberBytes === 0 ? 1 : 2;
    this.#take(2);
    for (const name in object) {
      this.#take(factor * name.length + 4 + this.#memberBytes);
      this.add(object[name] ?? null);
    }
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw tooLargeToStore();
  }
}
