import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'karpenter-checkout-'));
  write('package-lock.json', '');
  write('packages/ui/package.json', '{"scripts": {"build": "vite build"}}');
  write('packages/ui/src/map/map.tsx', 'one');
  write('packages/core/src/values/quantity.ts', 'one');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function called(name: 'pageFingerprint' | 'hasPage'): string {
  const script = pathToFileURL(join(root, 'scripts', 'checkout-page.mjs')).href;
  const code = `import { ${name} } from ${JSON.stringify(script)}; console.log(${name}(process.argv[1]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, checkout], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trim();
}

/** Whether `npm start` builds the page again after the change. */
function rebuildsAfter(path: string): boolean {
  const before = called('pageFingerprint');
  write(path, 'changed');
  return called('pageFingerprint') !== before;
}

describe('the page of a checkout', () => {
  it.each([
    'packages/ui/src/map/map.tsx',
    'packages/ui/src/styles/page.css',
    'packages/ui/index.html',
    'packages/ui/vite.config.js',
    'packages/core/src/values/quantity.ts',
    'package-lock.json',
  ])('is built again after a change of %s', (path) => {
    expect(rebuildsAfter(path)).toBe(true);
  });

  it.each([
    'packages/ui/src/map/map.test.tsx',
    'packages/ui/dist-page/index.html',
    'packages/ui/node_modules/.vite/cache',
    'packages/cli/src/main.ts',
  ])('is kept after a change of %s', (path) => {
    expect(rebuildsAfter(path)).toBe(false);
  });

  it('is not asked for while its package cannot be built', () => {
    expect(called('hasPage')).toBe('true');
    write('packages/ui/package.json', '{}');
    expect(called('hasPage')).toBe('false');
  });
});
