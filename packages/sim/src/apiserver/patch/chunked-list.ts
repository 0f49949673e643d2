const chunkSize = 4096;

/**
 * A list in chunks, so that inserting or removing an item moves a few thousand items at most. A plain array moves
 * all that follow, and a patch of 10,000 insertions at the front of a long list would take minutes.
 */
export class ChunkedList<T> {
  readonly #chunks: T[][] = [];
  #length: number;

  constructor(items: readonly T[]) {
    for (let start = 0; start < items.length; start += chunkSize) {
      this.#chunks.push(items.slice(start, start + chunkSize));
    }
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Undefined beyond the end. */
  at(index: number): T | undefined {
    const { chunk, offset } = this.#locate(index);
    return chunk[offset];
  }

  /** Replaces an item that exists. */
  set(index: number, item: T): void {
    const { chunk, offset } = this.#locate(index);
    chunk[offset] = item;
  }

  insert(index: number, item: T): void {
    const { chunk, offset, position } = this.#locate(index);
    chunk.splice(offset, 0, item);
    this.#length += 1;
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(position + 1, 0, chunk.splice(chunkSize));
  }

  remove(index: number): void {
    const { chunk, offset, position } = this.#locate(index);
    chunk.splice(offset, 1);
    this.#length -= 1;
    if (chunk.length === 0) this.#chunks.splice(position, 1);
  }

  items(): readonly T[] {
    return this.#chunks.flat();
  }

  /** The chunk of an index; the end of the list belongs to the last chunk. */
  #locate(index: number): { readonly chunk: T[]; readonly offset: number; readonly position: number } {
    if (this.#chunks.length === 0) this.#chunks.push([]);
    let offset = index;
    let position = 0;
    let chunk = this.#chunks[0] ?? [];
    while (offset >= chunk.length && position + 1 < this.#chunks.length) {
      offset -= chunk.length;
      position += 1;
      chunk = this.#chunks[position] ?? [];
    }
    return { chunk, offset, position };
  }
}
