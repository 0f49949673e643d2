import type { Terminal } from '../terminal.ts';

/** Prints one line for each step. On a screen a wait stays on one line that changes; elsewhere each wait is printed once. */
export class StepPrinter {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #waiting: string | undefined;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
  }

  step(text: string): void {
    this.#endWait();
    this.#terminal.out(`${this.#time()} ${text}\n`);
  }

  wait(text: string): void {
    if (this.#terminal.isScreen === true) this.#terminal.out(`\r\u001b[2K${this.#time()} ${text}`);
    else if (text !== this.#waiting) this.#terminal.out(`${this.#time()} ${text}\n`);
    this.#waiting = text;
  }

  /** Leaves the line of a wait, so that what follows begins on its own. */
  end(): void {
    this.#endWait();
  }

  #endWait(): void {
    if (this.#waiting !== undefined && this.#terminal.isScreen === true) this.#terminal.out('\n');
    this.#waiting = undefined;
  }

  #time(): string {
    return new Date(this.#now()).toISOString().slice(11, 19);
  }
}
