import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { afterAll, describe, expect, it } from 'vitest';
import { DevProcess } from '../../clients/dev-process.ts';

const parent = mkdtempSync(join(tmpdir(), 'karpenter-full-disk-'));
const disk = join(parent, 'disk');

/** False if the system does not let this process mount a file system. */
function mountSmallDisk(): boolean {
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isMounted = mountSmallDisk();
const running = new Set<DevProcess>();
afterAll(async () => {
  for (const dev of running) await dev.kill();
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(parent, { recursive: true, force: true });
});

const data = join(disk, 'data');
const filler = join(disk, 'filler');

async function startDev(): Promise<DevProcess> {
  const dev = new DevProcess(['--empty', '--log-level', 'error', '--data-dir', data]);
  running.add(dev);
  await dev.started();
  return dev;
}

function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch {
    // The server has used some of the space meanwhile, and the rest is full anyway.
  }
}

const configMap = (name: string) => ({
  metadata: { name, namespace: 'default' },
  data: { value: 'x'.repeat(100_000) },
});

describe.skipIf(!isMounted)('karpenter dev on a disk of 4 MB', () => {
  it('rejects writes while the disk is full, keeps acknowledged ones, recovers and stops cleanly', async () => {
    const first = await startDev();
    const client = connect(await loadConfig({ kubeconfig: join(data, 'kubeconfig') }));
    await client.create(kinds.configMap, configMap('before'));
    fillDisk();
    await expect(client.create(kinds.configMap, configMap('refused'))).rejects.toThrow(
      `cannot save changes in the data directory ${data}: the disk is full`,
    );
    const names = async () =>
      (await client.list(kinds.configMap, { namespace: 'default' })).items.map(
        ({ metadata }) => metadata?.name,
      );
    expect(await names()).toEqual(['before', 'kube-root-ca.crt']);
    rmSync(filler);
    await client.create(kinds.configMap, configMap('after'));
    fillDisk();
    await expect(client.create(kinds.configMap, configMap('refused'))).rejects.toThrow('the disk is full');
    await client.close();
    expect(await first.stop()).toBe(1);
    expect(first.errors).toContain('were refused; everything acknowledged is saved');
    rmSync(filler);
    expect(readFileSync(join(data, 'log-0.jsonl'), 'utf8')).not.toContain('"refused"');

    const second = await startDev();
    const again = connect(await loadConfig({ kubeconfig: join(data, 'kubeconfig') }));
    const kept = await again.list(kinds.configMap, { namespace: 'default' });
    expect(kept.items.map(({ metadata }) => metadata?.name)).toEqual(['after', 'before', 'kube-root-ca.crt']);
    await again.close();
    expect(await second.stop()).toBe(0);
  });
});
