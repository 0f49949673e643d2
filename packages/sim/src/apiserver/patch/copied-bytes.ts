import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import { depthLimit } from '../decoding/index.ts';
import { inapplicablePatch } from './patch-refusal.ts';

/** The limit of kube-apiserver: one patch may copy this many bytes of JSON in all. */
const copyLimit = 3 * 1024 * 1024;

/** Counts the bytes that the `copy` operations of a patch add to the document. */
export class CopiedBytes {
  #left = copyLimit;

  /** Throws as soon as the limit is exceeded, so that a value is never measured beyond it. */
  count(value: Json, depth = 0): void {
    if (depth > depthLimit) throw inapplicablePatch();
    if (isJsonArray(value)) {
      this.#take(2 + value.length);
      for (const item of value) this.count(item, depth + 1);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        this.#take(name.length + 4);
        this.count(member, depth + 1);
      }
      this.#take(2);
    } else this.#take(typeof value === 'string' ? Buffer.byteLength(value) + 2 : String(value).length);
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw inapplicablePatch();
  }
}
