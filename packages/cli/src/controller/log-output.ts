import { appendFileSync } from 'node:fs';
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
  return path === 'stderr' ? terminal.err : (line) => appendFileSync(path, line);
}
