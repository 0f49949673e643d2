import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  startEmbeddedCluster,
} from './embedded-cluster.ts';

let dataDir: string;
let cluster: EmbeddedCluster | undefined;
let reports: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karpenter-embedded-'));
  reports = [];
});

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedClusterOptions> = {}): Promise<EmbeddedCluster> {
  const kubeconfig = join(dataDir, 'kubeconfig');
  const onFaults = (message: string) => reports.push(message);
  cluster = await startEmbeddedCluster({
    kubeconfig,
    dataDir,
    clock: new VirtualClock(),
    onFaults,
    ...options,
  });
  return cluster;
}

async function stop(): Promise<void> {
  await cluster?.stop();
  cluster = undefined;
}

/** Each process that opens the directory takes a lock with a number of its own. */
async function filesBesideLock(): Promise<readonly string[]> {
  return (await readdir(dataDir)).filter((name) => !name.startsWith('lock-'));
}

describe('an embedded cluster on a data directory', () => {
  it('restores its account and the port of the last run', async () => {
    const { url, account } = await start();
    account.cloud.shiftZone('usw2-az2', 1_000);
    const saved = account.cloud.save();
    await stop();
    const again = await start();
    expect(again.url).toBe(url);
    expect(again.account.cloud.save()).toEqual(saved);
    expect(reports).toEqual([]);
  });

  it('takes another port if another process has that of the last run', async () => {
    const { url } = await start();
    await stop();
    const other = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      const again = await start();
      expect(again.url).not.toBe(url);
      await stop();
    } finally {
      other.close();
    }
  });

  it('keeps the seed of its account and reports that', async () => {
    await start({ seed: 1 });
    await stop();
    const { account } = await start({ seed: 2 });
    expect(account.cloud.seed).toBe(1);
    expect(reports).toEqual([
      'the simulated account was made with seed 1 and keeps it; --seed 2 is not used',
    ]);
  });

  it('rejects another cluster name and writes nothing', async () => {
    await start();
    await stop();
    const before = await filesBesideLock();
    await expect(start({ clusterName: 'other' })).rejects.toMatchObject({ code: 'other-cluster' });
    expect(await filesBesideLock()).toEqual(before);
  });

  it('rejects a damaged account, and starts with a new one on repair', async () => {
    await start();
    await stop();
    const path = join(dataDir, 'simulated-account.jsonl');
    await writeFile(path, 'no account\n');
    await expect(start()).rejects.toMatchObject({ code: 'damaged-data-directory' });
    const { account } = await start({ repair: true });
    expect(account.cloud.world.instances.size).toBe(0);
    expect(reports).toEqual([
      expect.stringContaining(`the simulated account in ${path} was damaged and is now in`),
    ]);
  });
});
