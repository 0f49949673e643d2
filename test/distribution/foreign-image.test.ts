import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sbomProblems } from './cyclonedx.ts';
import { scratchDirectory } from './scratch-directory.ts';

const scripts = new URL('../../scripts/', import.meta.url);
const { filesIn, problemsOf } = await import(new URL('image/checks.mjs', scripts).href);
const { readElf } = await import(new URL('image/elf.mjs', scripts).href);
const { foreignArchitecture, foreignSysroot } = await import(
  new URL('image/foreign-sysroot.mjs', scripts).href
);

const directory = scratchDirectory();
const image = join(directory, 'image');
const imageRoot = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('image-root.mjs', scripts)), ...args]);
const read = (path: string) => JSON.parse(readFileSync(join(image, path), 'utf8'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

// Elsewhere than on Debian, nothing provides the libraries of the other architecture.
describe.runIf(foreignSysroot().exists)('the root file system for the other architecture', () => {
  let report: string;
  beforeAll(async () => {
    report = (await imageRoot('--arch', foreignArchitecture, '--directory', image)).stdout;
  });

  it('is assembled and checked, and not run', () => {
    expect(report).toContain(`files for ${foreignArchitecture}`);
    expect(report).toContain(`not run: this machine is not ${foreignArchitecture}`);
    expect(problemsOf(image)).toEqual([]);
  });

  it('has programs and libraries of that architecture alone', () => {
    const programs: readonly string[] = filesIn(image).filter((path: string) => /\/node$|\.so\b/.test(path));
    const found = programs.map((path) => readElf(join(image, path)).architecture);
    expect(programs.length).toBeGreaterThan(5);
    expect(new Set(found)).toEqual(new Set([foreignArchitecture]));
  });

  it('names the architecture and every library in its build information and SBOM', () => {
    expect(read('app/build-info.json')).toMatchObject({ architecture: foreignArchitecture });
    const sbom = read('app/sbom.cdx.json');
    expect(sbomProblems(sbom)).toEqual([]);
    const debian = sbom.components.filter(({ purl }: { purl: string }) => purl.startsWith('pkg:deb/'));
    expect(debian.map(({ name }: { name: string }) => name)).toEqual(['libc6', 'libgcc-s1', 'libstdc++6']);
  });
});

describe('npm run image', () => {
  it.each([
    [['--arch', 's390x'], 'the image is for amd64 and arm64, not for s390x; correct --arch'],
    [
      ['--arch', foreignArchitecture, '--sysroot', '/nowhere'],
      `--arch ${foreignArchitecture} needs --sysroot and --node of that architecture, or neither`,
    ],
  ])('refuses %j', async (args, sentence) => {
    const failure = { code: 1, stderr: `karpenter: ${sentence}\n` };
    await expect(imageRoot(...args, '--directory', join(directory, 'other'))).rejects.toMatchObject(failure);
  });
});
