/** Collects objects by identity, so that a shared one is written once and referred to by its index. */
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
