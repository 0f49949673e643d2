import { appendFileSync, closeSync, openSync } from 'node:fs';
import { CodedError } from '@karpenter/core/errors';
import type { Terminal } from '../terminal.ts';

/** Writes each line wherever the comma-separated paths say: `stdout`, `stderr` or files. */
export function logOutput(paths: string, terminal: Terminal): (line: string) => void {
  const writers = paths
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .map((path) => writerOf(path, terminal));
  return (line) => {
    for (const write of writers) write(line);
  };
}

function writerOf(path: string, terminal: Terminal): (line: string) => void {
  if (path === 'stdout') return terminal.out;
  if (path === 'stderr') return terminal.err;
  requireWritable(path);
  return (line) => appendFileSync(path, line);
}

/** At the start, since later nobody would see that lines are lost. */
function requireWritable(path: string): void {
  try {
    closeSync(openSync(path, 'a'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError(
      'unwritable-file',
      `cannot write the log to ${path}: ${why}; fix that or choose another with --log-output-paths`,
      { details: { file: path }, cause },
    );
  }
}
