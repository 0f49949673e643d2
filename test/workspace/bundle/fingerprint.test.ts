import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'karpenter-checkout-'));
  for (const path of ['package-lock.json', 'scripts/bundler.mjs', 'scripts/licences.mjs']) write(path, '');
  write('packages/core/package.json', '{}');
  write('packages/core/src/values/quantity.ts', 'one');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function fingerprint(): string {
  const script = pathToFileURL(join(root, 'scripts', 'checkout-bundle.mjs')).href;
  const code = `import { fingerprint } from ${JSON.stringify(script)}; console.log(fingerprint(process.argv[1]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, checkout], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trim();
}

/** Whether bin/karpenter builds a new bundle after the change. */
function rebuildsAfter(change: () => void): boolean {
  const before = fingerprint();
  change();
  return fingerprint() !== before;
}

/** Names of the modules that a file imports, directly or through other files. */
function importsOf(path: string, known = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(path, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)[ (]'([^']+)'/g)) {
    const next = name.startsWith('.') ? join(dirname(path), name) : name;
    if (known.has(next)) continue;
    known.add(next);
    if (next !== name) importsOf(next, known);
  }
  return known;
}

describe('the bundle of a checkout', () => {
  it('is built in another process, because the bundler takes a gigabyte that dev would keep', () => {
    const imported = importsOf(join(root, 'bin', 'karpenter'));
    expect(imported).toContain(join(root, 'scripts', 'checkout-bundle.mjs'));
    expect(imported).not.toContain('rolldown');
  });

  it('is kept while nothing changes', () => {
    expect(rebuildsAfter(() => undefined)).toBe(false);
  });

  it('is kept when only tests change', () => {
    expect(rebuildsAfter(() => write('packages/core/src/values/quantity.test.ts', 'test'))).toBe(false);
  });

  it('is found beside the folder of a package that is gone, and beside a link that leads nowhere', () => {
    write('packages/gone/dist/index.js', '');
    symlinkSync('nowhere', join(checkout, 'packages/core/src/.#quantity.ts'));
    expect(fingerprint()).toMatch(/^[0-9a-f]{20}$/);
  });

  it.each([
    ['an edited source file', () => write('packages/core/src/values/quantity.ts', 'two')],
    ['a new source file', () => write('packages/core/src/values/duration.ts', '')],
    [
      'a new package',
      () => cpSync(join(checkout, 'packages/core'), join(checkout, 'packages/kube'), { recursive: true }),
    ],
    ['a deleted source file', () => rmSync(join(checkout, 'packages/core/src/values/quantity.ts'))],
    [
      'a renamed folder',
      () => renameSync(join(checkout, 'packages/core/src/values'), join(checkout, 'packages/core/src/units')),
    ],
    ['a changed lock file', () => write('package-lock.json', '{}')],
    ['a changed bundler', () => write('scripts/bundler.mjs', 'export {};')],
    [
      'a source file replaced by an older one of the same size',
      () => {
        write('packages/core/src/values/quantity.ts', 'two');
        utimesSync(join(checkout, 'packages/core/src/values/quantity.ts'), 1, 1);
      },
    ],
  ])('is built again after %s', (_, change) => {
    expect(rebuildsAfter(change)).toBe(true);
  });
});
