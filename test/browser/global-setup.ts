import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../workspace/architecture/workspace.ts';

/**
 * Builds the page as `karpenter dev` does, which then finds it built: another build while a test reads the page would
 * take its files away.
 */
export function setup(): void {
  const script = pathToFileURL(join(root, 'scripts', 'checkout-page.mjs')).href;
  const code = `import { ensurePage } from ${JSON.stringify(script)}; ensurePage();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
