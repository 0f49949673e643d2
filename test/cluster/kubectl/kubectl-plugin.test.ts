import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../workspace/architecture/workspace.ts';
import { sharedControlPlane } from '../shared-control-plane.ts';

const { binary } = sharedControlPlane();

/** Runs `kubectl karpenter` with the plugin of the checkout on the PATH. */
function plugin(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(binary, ['kubectl', 'karpenter', ...args], {
    env: { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH']}` },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('kubectl karpenter', () => {
  it('runs the command line and names itself as the user called it', () => {
    expect(plugin('crds', '--help').stdout).toMatch(/^Usage: kubectl karpenter crds /);
    expect(JSON.parse(plugin('version', '-o', 'json').stdout)).toMatchObject({ version: '0.1.0' });
  });

  it('passes on the exit code and the error', () => {
    expect(plugin('crd')).toEqual({
      status: 2,
      stdout: '',
      stderr: "karpenter: unknown command 'crd'\n(Did you mean crds?)\n",
    });
  });
});
