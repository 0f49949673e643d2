const timeLength = 9;
const countLength = 3;
const radix = 36;

export interface DecisionIdOptions {
  readonly now: () => number;
  /** Letters and digits that no other process has. */
  readonly processName: string;
}

/**
 * Makes ids such as `0mk3v9f2a-000-7h2c`: the time in milliseconds, a count within that millisecond and the
 * process. They sort by time as text, and two processes never make the same one.
 */
export class DecisionIds {
  readonly #options: DecisionIdOptions;
  #time = 0;
  #count = 0;

  constructor(options: DecisionIdOptions) {
    this.#options = options;
  }

  /** The next id, and the time in it: later than all before, also when the clock was set back. */
  next(): { readonly id: string; readonly at: number } {
    const now = Math.floor(this.#options.now());
    this.#count = now > this.#time ? 0 : this.#count + 1;
    this.#time = Math.max(this.#time, now);
    if (this.#count === radix ** countLength) {
      this.#time += 1;
      this.#count = 0;
    }
    const id = [padded(this.#time, timeLength), padded(this.#count, countLength), this.#options.processName];
    return { id: id.join('-'), at: this.#time };
  }
}

/** Whether a text can be an id: what is not must never become part of a path. */
export function isDecisionId(text: string): boolean {
  return /^[0-9a-z]{9}-[0-9a-z]{3}-[0-9a-z]{1,16}$/.test(text);
}

function padded(number: number, length: number): string {
  return number.toString(radix).padStart(length, '0');
}
