/** Rows that changed since the last look, and the keys of those that are gone. */
export interface RowChanges<Row> {
  readonly changed: readonly Row[];
  readonly removed: readonly string[];
}

/** Rows by key, with a note of what changed since somebody last looked. */
export class RowTable<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #touched = new Set<string>();

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  set(key: string, row: Row): void {
    this.#rows.set(key, row);
    this.#touched.add(key);
  }

  delete(key: string): void {
    if (this.#rows.delete(key)) this.#touched.add(key);
  }

  takeChanges(): RowChanges<Row> {
    const changed: Row[] = [];
    const removed: string[] = [];
    for (const key of this.#touched) {
      const row = this.#rows.get(key);
      if (row === undefined) removed.push(key);
      else changed.push(row);
    }
    this.#touched.clear();
    return { changed, removed };
  }
}
