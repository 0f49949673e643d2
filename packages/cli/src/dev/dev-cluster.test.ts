import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durationMs } from '@karpenter/core/values';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDevCluster } from './dev-cluster.ts';
import { devSettings } from './dev-settings.ts';
import { startEmbeddedCluster } from './embedded-cluster.ts';

let directory: string;
let taken: Server;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-dev-cluster-'));
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
});

afterEach(async () => {
  taken.close();
  await rm(directory, { recursive: true, force: true });
});

const silent = { out: () => undefined, err: () => undefined };
const portOf = (server: Server) => String((server.address() as AddressInfo).port);

const start = (...flags: readonly string[]) =>
  startDevCluster(
    {
      port: 0,
      dataDir: join(directory, 'data'),
      repair: false,
      kubeconfig: join(directory, 'kubeconfig'),
      clusterName: 'dev',
      seed: 1,
      bootDelay: durationMs(0),
      isEmpty: true,
      faultsFile: undefined,
      logFormat: 'json',
      ...devSettings(['--log-level=error', ...flags], {}),
    },
    silent,
  );

describe('a development cluster whose controllers cannot start', () => {
  it.each(['metrics-port', 'health-probe-port'])(
    'stops the embedded cluster if the %s is in use',
    async (flag) => {
      await expect(start(`--${flag}=${portOf(taken)}`)).rejects.toMatchObject({
        message: expect.stringContaining(portOf(taken)),
      });
      // Only a stopped cluster has released the lock of its data directory.
      const again = await startEmbeddedCluster({
        kubeconfig: join(directory, 'kubeconfig'),
        dataDir: join(directory, 'data'),
      });
      await again.stop();
    },
  );

  it('can be started again on the same data directory', async () => {
    await expect(start(`--metrics-port=${portOf(taken)}`)).rejects.toThrow();
    const cluster = await start();
    expect(await fetch(cluster.metricsUrl)).toMatchObject({ status: 200 });
    await cluster.stop();
  });
});
