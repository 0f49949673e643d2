import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The lines of a recording. Recordings are kept beside the checkout, not in it; `variable` may name another
 * file. Without one there are no lines, which is a failure where every tier must run.
 */
export function recordedLines<Line>(path: string, variable: string): readonly Line[] {
  const file = process.env[variable] ?? join(import.meta.dirname, '..', '..', '..', 'shared', path);
  if (!existsSync(file) && process.env['KARPENTER_TEST'] !== 'all') return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
