import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, LockedPackage>> };

const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

it('every installed package has an integrity hash', () => {
  const without = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(without.map(([path]) => path)).toEqual([]);
});

it('no package names the host it came from', () => {
  expect(installed.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([]);
});
