import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './architecture/workspace.ts';

let elsewhere: string;

beforeAll(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'karpenter-elsewhere-'));
});

afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { cwd: elsewhere, encoding: 'utf8' });

describe('bin/karpenter', () => {
  it('runs from any directory, through a link too, with nothing but its output on stdout', () => {
    const link = join(elsewhere, 'karpenter');
    symlinkSync(join(root, 'bin', 'karpenter'), link);
    const { status, stdout } = run(link, ['--version']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '0.1.0\n' });
  });

  it('ends quietly when its reader has seen enough', () => {
    const { status, stdout, stderr } = run('sh', [
      '-c',
      `${join(root, 'bin', 'karpenter')} crds | head -n 1`,
    ]);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'apiVersion: apiextensions.k8s.io/v1\n',
      stderr: '',
    });
  });

  it('exits with another code than 0 when a command fails', () => {
    expect(run(join(root, 'bin', 'karpenter'), ['crds', 'nothing']).status).toBe(1);
  });
});
