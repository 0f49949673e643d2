import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly resolved?: string;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, LockedPackage>> };

const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

/**
 * Binaries of other platforms at versions that the registry of the last update did not have. Running
 * scripts/complete-lock.mjs with a registry that has them removes them from this list.
 */
const unverified = /^node_modules\/@(biomejs\/cli|oxc-parser\/binding|rolldown\/binding)-/;

it('every installed package has an integrity hash', () => {
  const without = installed.filter(
    ([path, { integrity, optional }]) =>
      !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') && !(optional === true && unverified.test(path)),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});

it('no package names the host it came from', () => {
  expect(installed.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([]);
});
