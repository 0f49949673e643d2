import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedCluster } from '@karpenter/cli/embedded';
import { connect, kinds } from '@karpenter/kube/client';
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

  it('calls itself kubectl karpenter under the name of a kubectl plugin, through a link too', () => {
    const link = join(elsewhere, 'kubectl-karpenter');
    symlinkSync(join(root, 'bin', 'kubectl-karpenter'), link);
    const { status, stdout } = run(link, ['crds', '--help']);
    expect({ status, usage: stdout.split('\n')[0] }).toEqual({
      status: 0,
      usage: 'Usage: kubectl karpenter crds [options] [resource...]',
    });
  });

  it('exits quietly when the reader closes the pipe', () => {
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

  it.runIf(existsSync('/dev/full'))('says in words that its output could not be written', () => {
    const { status, stderr } = run('sh', ['-c', `${join(root, 'bin', 'karpenter')} crds > /dev/full`]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'karpenter: cannot write standard output: the disk is full; free some space\n',
    });
  });

  it('exits with a non-zero code when a command fails', () => {
    expect(run(join(root, 'bin', 'karpenter'), ['crds', 'nothing']).status).toBe(1);
  });

  it('releases the lease of the controllers and exits with 0 on SIGTERM', async () => {
    const kubeconfig = join(elsewhere, 'kubeconfig');
    const cluster = await startEmbeddedCluster({
      kubeconfig,
    });
    const client = connect(cluster.config);
    const holder = async () => {
      const { items } = await client.list(kinds.lease, { namespace: 'kube-system' });
      const lease = items.find(({ metadata }) => metadata?.name === 'karpenter-leader-election');
      return lease?.spec?.holderIdentity ?? '';
    };
    const controller = spawn(
      join(root, 'bin', 'karpenter'),
      [
        ...['controller', '--cloud', 'simulated', '--kubeconfig', kubeconfig],
        ...['--metrics-port=0', '--health-probe-port=0', '--leader-election-namespace=kube-system'],
      ],
      { cwd: elsewhere, stdio: 'ignore' },
    );
    const exit = once(controller, 'exit');
    try {
      await expect.poll(holder, { timeout: 50_000 }).not.toBe('');
      controller.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      expect(await holder()).toBe('');
    } finally {
      controller.kill('SIGKILL');
      await client.close();
      await cluster.stop();
    }
  });
});
