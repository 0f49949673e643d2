import { unwritable } from './file-errors.ts';
import { wrappedLines } from './wrapped-text.ts';

/** Where a command writes: results to `out`, so that they can be piped; notes and errors to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `out` is a screen that people read. Absent means no. */
  readonly isScreen?: boolean;
  /** The width of the screen; a screen may be resized. Undefined where there is none, as in a pipe. */
  readonly columns?: () => number | undefined;
}

/** Narrower screens get lines of this width: narrower text is harder to read than lines that the screen breaks. */
const minWidth = 40;

/** Columns of the terminal, if they are known. */
export function widthOf({ columns }: Terminal): number | undefined {
  const width = columns?.();
  return width === undefined ? undefined : Math.max(minWidth, width);
}

/** Keeps what is written to `out` until it is released, so that something else can come first. */
export function heldOutput({ out, ...terminal }: Terminal): { readonly terminal: Terminal; release(): void } {
  let held: string[] | undefined = [];
  const write = (text: string) => {
    if (held === undefined) out(text);
    else held.push(text);
  };
  const release = () => {
    const texts = held ?? [];
    held = undefined;
    for (const text of texts) out(text);
  };
  return { terminal: { ...terminal, out: write }, release };
}

const usualWidth = 80;

interface Streams {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function terminalOf({ stdout, stderr, env }: Streams): Terminal {
  stdout.on('error', (error: NodeJS.ErrnoException) => endAfter(error, stderr));
  const columns = () => exportedColumns(env['COLUMNS']) ?? stdout.columns;
  return {
    out: (text) => void stdout.write(text),
    // Notes and errors are prose. In a file or a pipe they stay on one line, so that they can be searched.
    err: (text) =>
      void stderr.write(stderr.isTTY === true ? wrappedLines(text, columns() ?? usualWidth) : text),
    isScreen: stdout.isTTY === true,
    columns,
  };
}

/** Shells keep COLUMNS to themselves; one that is exported is a choice of the user. */
function exportedColumns(text = ''): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

/**
 * `karpenter crds | head` closes the pipe early. That is not a failure, so the process exits with 0. Everything else,
 * such as a full disk, has lost what the command printed.
 */
function endAfter(error: NodeJS.ErrnoException, stderr: NodeJS.WritableStream): void {
  if (error.code === 'EPIPE') process.exit(0);
  stderr.write(`karpenter: ${unwritable('standard output', error).message}\n`);
  process.exit(1);
}
