import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sbomProblems } from './cyclonedx.ts';
import { scratchDirectory, writeFiles } from './scratch-directory.ts';

const scripts = new URL('../../scripts/', import.meta.url);
const { problemsOf } = await import(new URL('image/checks.mjs', scripts).href);
const { bundleProgram } = await import(new URL('distribution.mjs', scripts).href);

const directory = scratchDirectory();
const image = join(directory, 'image');
let report: string;

beforeAll(async () => {
  const args = [fileURLToPath(new URL('image-root.mjs', scripts)), '--directory', image];
  report = (await promisify(execFile)(process.execPath, args)).stdout;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(image, path), 'utf8');

describe('the root file system of the image', () => {
  it('runs the controllers until they are ready, and reports size and start-up time', () => {
    expect(report).toMatch(/: \d+\.\d MB in \d+ files for (amd64|arm64)/);
    expect(report).toMatch(/ready after \d+\.\d\d s/);
  });

  it('runs them as user 65532 on a read-only root where the tests run as root', () => {
    const isRoot = process.getuid?.() === 0;
    expect(report).toContain(isRoot ? 'run as user 65532 on a read-only root' : 'run as this user');
  });

  it('has no problem', () => {
    expect(problemsOf(image)).toEqual([]);
  });

  it('says what it was built from', () => {
    const { commit, ...built } = JSON.parse(read('app/build-info.json'));
    expect(built).toMatchObject({ version: '0.1.0', nodeVersion: expect.stringMatching(/^24\./) });
    expect(commit).toMatch(/^[0-9a-f]{40}(-dirty)?$/);
  });

  it('lists in its SBOM what is bundled, and nothing of development', () => {
    const { bomFormat, components } = JSON.parse(read('app/sbom.cdx.json'));
    const names = components.map(({ group, name }: Record<string, string>) => [group, name].join('/'));
    expect(bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(['@aws-sdk/client-ec2', '/commander', '/node']));
    expect(names).not.toEqual(expect.arrayContaining(['/vitest']));
  });

  it('has an SBOM that is valid CycloneDX 1.6', () => {
    expect(sbomProblems(JSON.parse(read('app/sbom.cdx.json')))).toEqual([]);
  });

  it('has no shell, no package manager and no source maps', () => {
    for (const path of ['bin/sh', 'usr/local/bin/npm', 'node_modules', 'app/controller.mjs.map'])
      expect({ path, exists: existsSync(join(image, path)) }).toEqual({ path, exists: false });
  });
});

describe('assembling the image', () => {
  it('refuses to replace a directory that holds something else', async () => {
    const other = join(directory, 'other');
    writeFiles(other, { 'letter.txt': 'kept' });
    const args = [fileURLToPath(new URL('image-root.mjs', scripts)), '--directory', other];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
      code: 1,
      stderr: `karpenter: ${other} is not empty and holds no image; name another --directory\n`,
    });
    expect(readFileSync(join(other, 'letter.txt'), 'utf8')).toBe('kept');
  });
});

describe('the checks of a root file system', () => {
  const broken = join(directory, 'broken');

  /** The problems after a change of a correct root file system. */
  function problemsAfter(change: () => void): readonly string[] {
    rmSync(broken, { recursive: true, force: true });
    cpSync(image, broken, { recursive: true });
    change();
    return problemsOf(broken);
  }

  const add = (path: string, text: string) => () => writeFiles(broken, { [path]: text });
  const remove = (path: string) => () => rmSync(join(broken, path));
  const rewrite = (path: string, from: RegExp, to: string) => () =>
    writeFiles(broken, { [path]: read(path).replace(from, to) });

  it.each([
    ['a shell', add('bin/sh', '#!'), '/bin/sh does not belong in the image'],
    ['an installed package', add('app/node_modules/a/index.js', ''), 'does not belong in the image'],
    ['a source map', add('app/controller.mjs.map', '{}'), 'does not belong in the image'],
    ['code of the simulator', add('app/chunks/a.mjs', 'startApiServer()'), 'has code of the simulator'],
    ['a path of this machine', add('app/chunks/a.mjs', fileURLToPath(scripts)), 'a path of the machine'],
    [
      'no licence of a package',
      rewrite('app/THIRD-PARTY-LICENSES', /^commander@/m, 'x@'),
      'the licence of commander@',
    ],
    ['no licence of Node', remove('usr/share/doc/node/LICENSE'), '/usr/share/doc/node/LICENSE is missing'],
    ['no SBOM', remove('app/sbom.cdx.json'), '/app/sbom.cdx.json is missing'],
    [
      'no commit',
      rewrite('app/build-info.json', /"commit": ".*"/, '"commit": ""'),
      'does not say the commit',
    ],
    [
      'a tool of development',
      rewrite('app/sbom.cdx.json', /"name": "commander"/, '"name": "vitest"'),
      'vitest is a dependency of development only',
    ],
  ])('refuse %s', (_, change, problem) => {
    expect(problemsAfter(change).join('\n')).toContain(problem);
  });

  it('find every mark of the simulator in the bundle that has it', async () => {
    const karpenter = join(directory, 'karpenter');
    await bundleProgram({ name: 'karpenter', directory: karpenter });
    const problems = problemsAfter(() =>
      cpSync(join(karpenter, 'chunks'), join(broken, 'app', 'chunks'), { recursive: true }),
    );
    const marks = problems.flatMap((problem) => /of the simulator \((\w+)\)/.exec(problem)?.[1] ?? []);
    expect([...new Set(marks)].sort()).toEqual([
      'installDefinitions',
      'startApiServer',
      'startEmbeddedCluster',
    ]);
  });

  it('refuse a library that is missing', () => {
    const path = ['lib', 'usr/lib'].flatMap((folder) =>
      ['x86_64-linux-gnu', 'aarch64-linux-gnu', ''].map((triplet) => join(folder, triplet, 'libc.so.6')),
    );
    const libc = path.find((each) => existsSync(join(image, each))) ?? 'lib64/libc.so.6';
    expect(problemsAfter(remove(libc))).toContain('/usr/local/bin/node needs libc.so.6, which is missing');
  });
});
