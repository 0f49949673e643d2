import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileReason } from '@karpenter/core/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from './main.ts';
import { newProgram, runProgram } from './program.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-files-'));
  mkdirSync(join(directory, 'folder'));
  writeFileSync(join(directory, 'file'), '');
  writeFileSync(join(directory, 'folder', 'file'), '');
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The exit code and output of a program whose one command does this. */
async function failing(work: () => Promise<unknown>) {
  let err = '';
  const terminal = {
    out: () => {},
    err: (text: string) => {
      err += text;
    },
  };
  const program = newProgram('karpenter', terminal);
  program.command('try').action(async () => void (await work()));
  return { code: await runProgram(program, ['try'], terminal), err };
}

describe('an error of the operating system that a command did not translate', () => {
  it.each([
    ['ENOENT', 'read', (at: string) => readFile(join(at, 'none')), 'there is no such file or folder'],
    [
      'EISDIR',
      'read',
      (at: string) => readdir(join(at, 'file')),
      'a part of the path is a file, not a folder',
    ],
    ['EEXIST', 'write', (at: string) => mkdir(join(at, 'file')), 'a file of that name is in the way'],
    [
      'ENOTDIR',
      'write',
      (at: string) => mkdir(join(at, 'file', 'x')),
      'a part of the path is a file, not a folder',
    ],
    ['ENOENT', 'write', (at: string) => rename(join(at, 'none'), join(at, 'x')), 'its folder does not exist'],
  ] as const)('is a sentence: %s', async (code, use, work, reason) => {
    const { code: exit, err } = await failing(() => work(directory));
    expect(exit).toBe(1);
    expect(err).toMatch(new RegExp(`^karpenter: cannot ${use} ${directory}.*: ${reason}\\n$`));
    expect(err).not.toContain(code);
  });

  it('stays an error with a stack trace if it is not about a file', async () => {
    await expect(failing(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  });
});

describe('reasons', () => {
  const coded = (code: string) => Object.assign(new Error(`${code}: raw`), { code });

  it.each(['ENOENT', 'EISDIR', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOSPC', 'EROFS', 'ELOOP', 'EMFILE', 'EIO'])(
    'have no system words for %s',
    (code) => {
      for (const use of ['read', 'write'] as const)
        expect(fileReason(coded(code), use)).not.toMatch(/raw|E[A-Z]{3}/);
    },
  );

  it('are the message of an error that is not of the operating system', () => {
    expect(fileReason(new Error('broken'), 'read')).toBe('broken');
  });
});

describe.each([
  ['simulate -f', ['simulate', '-f', 'PATH']],
  ['convert -f', ['convert', '-f', 'PATH']],
  ['render', ['render', '--nodeclass', 'PATH']],
  ['instance-types', ['instance-types', '--nodepool', 'PATH']],
  ['lint -f', ['lint', '-f', 'PATH']],
  ['replay', ['replay', 'PATH']],
])('karpenter %s', (_, args) => {
  it.each([
    ['none', 'there is no such file or folder'],
    ['file/below', 'a part of the path is a file, not a folder'],
  ])('says in words why it cannot read %s', async (name, reason) => {
    let err = '';
    const path = join(directory, name);
    const terminal = {
      out: () => {},
      err: (text: string) => {
        err += text;
      },
    };
    const code = await main(
      args.map((arg) => (arg === 'PATH' ? path : arg)),
      terminal,
    );
    expect({ code, err }).toEqual({ code: 1, err: `karpenter: cannot read ${path}: ${reason}\n` });
  });
});

it('says in words why a plan cannot be saved', async () => {
  let err = '';
  const terminal = {
    out: () => {},
    err: (text: string) => {
      err += text;
    },
  };
  const pool = join(directory, 'pool.json');
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const spec = { template: { spec: { requirements: [], nodeClassRef } } };
  await writeFile(
    pool,
    JSON.stringify({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' }, spec }),
  );
  const path = join(directory, 'folder');
  expect(await main(['simulate', '-f', pool, '--save', path], terminal)).toBe(1);
  expect(err).toBe(`karpenter: cannot write ${path}: it is a folder; name a file\n`);
});
