import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../workspace/architecture/workspace.ts';

/** The command of the checkout. */
export const karpenter = join(root, 'bin', 'karpenter');

/** `karpenter dev` as a process of its own, on any free port. */
export class DevProcess {
  /** What it has printed so far. */
  readonly lines: string[] = [];
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #errors = '';

  constructor(flags: readonly string[], program = karpenter) {
    this.#child = spawn(process.execPath, [program, 'dev', '--port', '0', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors += chunk;
    });
    // After `exit` there may still be output to read.
    this.exited = new Promise((resolve) => this.#child.once('close', resolve));
    if (this.#child.stdout === null) throw new Error('the command has no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.lines.push(line);
      for (const listen of this.#listeners) listen();
    });
  }

  /** What it has written to standard error so far. */
  get errors(): string {
    return this.#errors;
  }

  /** The first line that contains the text, which may have come already. Rejects if the process ends before. */
  line(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.lines.find((line) => line.includes(text));
        if (found !== undefined) resolve(found);
      };
      this.#listeners.add(look);
      look();
      void this.exited.then((code) =>
        reject(new Error(`karpenter dev ended with ${code} before it printed ${text}: ${this.#errors}`)),
      );
    });
  }

  /** Resolves when everything runs. */
  async started(): Promise<void> {
    await this.line('Metrics are at');
  }

  /** Asks it to stop, and resolves with its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.exited;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
