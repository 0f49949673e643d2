/** A computed value that is kept while its inputs are the same objects. */
export class Memoized<Inputs extends readonly unknown[], T> {
  readonly #make: (...inputs: Inputs) => T;
  #last: { readonly inputs: Inputs; readonly value: T } | undefined;

  constructor(make: (...inputs: Inputs) => T) {
    this.#make = make;
  }

  of(...inputs: Inputs): T {
    const last = this.#last;
    if (last?.inputs.every((input, index) => input === inputs[index])) return last.value;
    const value = this.#make(...inputs);
    this.#last = { inputs, value };
    return value;
  }
}
