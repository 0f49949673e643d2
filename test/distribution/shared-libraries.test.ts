import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scratchDirectory, writeFiles } from './scratch-directory.ts';

const script = (name: string) => import(new URL(`../../scripts/image/${name}`, import.meta.url).href);
const { readElf } = await script('elf.mjs');
const { resolveIn, sharedLibraries } = await script('shared-libraries.mjs');
const { debianPackages } = await script('debian-packages.mjs');

let directory: string;

beforeEach(() => {
  directory = scratchDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the shared libraries of a program', () => {
  it('are those that the loader of this machine finds', () => {
    const lines = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).trim().split('\n');
    const wanted = lines
      .map((line) => basename(line.trim().split(' ')[0] ?? ''))
      .filter((name) => name !== 'linux-vdso.so.1');
    const found = [...sharedLibraries('/', process.execPath).keys()].map((path: string) => basename(path));
    expect(found.sort()).toEqual(wanted.sort());
  });

  it('fail in one sentence if the root file system does not have them', () => {
    expect(() => sharedLibraries(directory, process.execPath)).toThrow(`which is not in ${directory}`);
  });

  it('are not read from a file that is no program', () => {
    writeFiles(directory, { text: 'a'.repeat(100) });
    expect(() => readElf(join(directory, 'text'))).toThrow('text is not a 64-bit little-endian ELF file');
  });
});

describe('a path in another root file system', () => {
  it('follows absolute links in that root and not in this one', () => {
    writeFiles(directory, { 'usr/lib/real.so': '' });
    symlinkSync('usr/lib', join(directory, 'lib'));
    mkdirSync(join(directory, 'lib64'));
    symlinkSync('/lib/real.so', join(directory, 'lib64', 'link.so'));
    expect(resolveIn(directory, '/lib64/link.so')).toBe(join(directory, 'usr/lib/real.so'));
  });

  it('does not leave it by ..', () => {
    writeFiles(directory, { file: '' });
    symlinkSync('../../../file', join(directory, 'link'));
    expect(resolveIn(directory, '/link')).toBe(join(directory, 'file'));
  });

  it('is nothing where a link leads nowhere or to itself', () => {
    symlinkSync('gone', join(directory, 'nowhere'));
    symlinkSync('itself', join(directory, 'itself'));
    expect([resolveIn(directory, '/nowhere'), resolveIn(directory, '/itself')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the Debian packages of files', () => {
  beforeEach(() => {
    writeFiles(directory, {
      'usr/lib/a.so.1': '',
      'usr/share/doc/liba/copyright': 'MIT',
      'var/lib/dpkg/info/liba:amd64.list': '/lib\n/lib/a.so.1\n',
      'var/lib/dpkg/info/libb:amd64.list': '/lib\n/lib/b.so.1\n',
      'var/lib/dpkg/status': 'Package: liba\nVersion: 1:2.0+deb12\n\nPackage: libb\nVersion: 3\n',
    });
    symlinkSync('usr/lib', join(directory, 'lib'));
  });

  it('are found by either spelling of a path below /usr/lib', () => {
    const liba = {
      name: 'liba',
      version: '1:2.0+deb12',
      copyright: join(directory, 'usr/share/doc/liba/copyright'),
    };
    expect(debianPackages(directory, ['/lib/a.so.1'])).toEqual([liba]);
    expect(debianPackages(directory, ['/usr/lib/a.so.1'])).toEqual([liba]);
  });

  it('are none in a root file system of another distribution', () => {
    rmSync(join(directory, 'var'), { recursive: true });
    expect(debianPackages(directory, ['/lib/a.so.1'])).toEqual([]);
  });
});
