import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface WindowOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
}

/** One shell in a tmux server of its own. */
export class TmuxWindow {
  readonly #socket = `karpenter-${randomBytes(5).toString('hex')}`;

  static async open({ columns, rows, env }: WindowOptions): Promise<TmuxWindow> {
    const window = new TmuxWindow();
    const variables = Object.entries({ PS1: '$ ', ...env }).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', String(columns), '-y', String(rows)];
    await window.#tmux('new-session', '-d', ...size, 'env', ...variables, 'sh');
    return window;
  }

  /** Types the text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  /** Presses keys by tmux' names, such as `Enter`, `Right` or `C-c`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What the window shows, without blanks at the ends of lines. */
  async screen(): Promise<string> {
    return this.#tmux('capture-pane', '-p');
  }

  /** Whether a program has the alternate screen, and whether the cursor is visible. */
  async modes(): Promise<{ readonly isAlternate: boolean; readonly hasCursor: boolean }> {
    const [alternate, cursor] = (await this.#tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}'))
      .trim()
      .split(' ');
    return { isAlternate: alternate === '1', hasCursor: cursor === '1' };
  }

  /** Appends everything that programs write from now on to the file. */
  async record(path: string): Promise<void> {
    await this.#tmux('pipe-pane', '-o', `cat >> ${path}`);
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server');
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args]);
    return stdout;
  }
}
