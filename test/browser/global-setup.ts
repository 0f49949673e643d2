import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../workspace/architecture/workspace.ts';

/** Builds the page as it is distributed. */
export function setup(): void {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', '.bin', 'vite'), 'build', '--logLevel', 'error'],
    {
      cwd: join(root, 'packages', 'ui'),
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}
