import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logOutput } from './log-output.ts';

const lines: string[] = [];
const terminal = {
  out: (text: string) => lines.push(`out ${text}`),
  err: (text: string) => lines.push(`err ${text}`),
};

it('writes to all its outputs', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log');
  logOutput(`stdout, stderr,${file}`, terminal as never)('line\n');
  expect(lines).toEqual(['out line\n', 'err line\n']);
  expect(readFileSync(file, 'utf8')).toBe('line\n');
});

it.each(['/nowhere/log', tmpdir()])('refuses a file that cannot be written at once: %s', (path) => {
  expect(() => logOutput(path, terminal as never)).toThrow(
    new RegExp(`^cannot write the log to ${path}: E.*; fix that or choose another with --log-output-paths$`),
  );
});
