/** Collects objects that occur more than once, so that each is written down once and found by its number. */
export class SharedParts {
  readonly list: object[] = [];
  readonly #indexes = new Map<object, number>();

  indexOf(part: object): number {
    const known = this.#indexes.get(part);
    if (known !== undefined) return known;
    this.#indexes.set(part, this.list.length);
    return this.list.push(part) - 1;
  }
}
