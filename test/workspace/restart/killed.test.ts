import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { AccountFile } from '@karpenter/sim/cloud';
import { describe, expect, it } from 'vitest';
import { DevProcess } from '../../clients/dev-process.ts';

// Kills `karpenter dev`, running as a separate process, at each step of a launch and starts it again. Each kill
// has a scale-out of its own: the node of the one before may have gone through all further steps.

const replicasEach = 4;
const pollOptions = { timeout: 120_000, interval: 200 };
const inflate = { namespace: 'default', name: 'inflate' };

interface Started {
  readonly started: DevProcess;
  readonly client: KubeClient;
}

/** Starts the command on one data directory, and kills what is left of it at the end. */
class Restarts {
  readonly dataDir: string;
  #running: DevProcess | undefined;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async using(work: (restarts: Restarts) => Promise<void>): Promise<void> {
    const restarts = new Restarts(await mkdtemp(join(tmpdir(), 'karpenter-killed-')));
    try {
      await work(restarts);
    } finally {
      await restarts.#running?.kill();
      await rm(restarts.dataDir, { recursive: true, force: true });
    }
  }

  async start(): Promise<Started> {
    const started = new DevProcess(['--data-dir', this.dataDir, '--boot-delay', '2s']);
    this.#running = started;
    await started.started();
    const kubeconfig = join(this.dataDir, 'kubeconfig');
    return { started, client: connect(await loadConfig({ kubeconfig })) };
  }

  /** The instance ids in the account file, which the next start would read. */
  async instanceIds(): Promise<readonly string[]> {
    const { saved } = await AccountFile.read({ directory: this.dataDir, clusterName: 'dev' });
    const instances = saved?.cloud.world.instances ?? [];
    return instances.filter(({ changing }) => changing.state !== 'terminated').map(({ facts }) => facts.id);
  }
}

const pods = async (client: KubeClient) => (await client.list(kinds.pod, { namespace: 'default' })).items;
const runningPods = async (client: KubeClient) =>
  (await pods(client)).filter(({ status }) => status?.phase === 'Running').length;

const claimIds = async (client: KubeClient) =>
  (await client.list(nodeClaims)).items.map(({ status }) => status?.providerID?.split('/').at(-1));

/** Log lines above INFO, which a kill must not cause. */
const serious = ({ lines }: DevProcess) => lines.filter((line) => /"level":"(?!INFO|DEBUG)/.test(line));

const killPoints = [
  'created nodeclaim',
  'launched nodeclaim',
  'registered nodeclaim',
  'initialized nodeclaim',
];

/** Consolidation would replace the instances that the test knows. */
async function keepNodes(client: KubeClient): Promise<void> {
  const body = { spec: { disruption: { consolidateAfter: 'Never' } } };
  await client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
}

/** Kills the command when it next logs the message; returns the instances that the account had then. */
async function killAt(message: string, { started, client }: Started, restarts: Restarts) {
  await started.line(`"message":"${message}"`);
  await started.kill();
  await client.close();
  return restarts.instanceIds();
}

describe('karpenter dev, killed at each step of a launch', () => {
  it('continues with the same instances, without an error or a second launch', { timeout: 600_000 }, () =>
    Restarts.using(async (restarts) => {
      let running = await restarts.start();
      await keepNodes(running.client);
      const known = new Set<string>();
      let replicas = 0;
      for (const message of killPoints) {
        replicas += replicasEach;
        await running.client.patch(kinds.deployment, inflate, {
          type: 'merge',
          body: { spec: { replicas } },
        });
        for (const id of await killAt(message, running, restarts)) known.add(id);
        expect(serious(running.started)).toEqual([]);
        running = await restarts.start();
      }
      const { started, client } = running;
      await expect.poll(() => runningPods(client), pollOptions).toBe(replicas);
      // Pods may have found room on other nodes while the last claim still launches.
      await expect.poll(() => claimIds(client), pollOptions).not.toContain(undefined);
      const claims = await claimIds(client);
      expect([...(await restarts.instanceIds())].sort()).toEqual([...claims].sort());
      expect(claims).toEqual(expect.arrayContaining([...known]));
      const restartCounts = (await pods(client)).map(
        ({ status }) => status?.containerStatuses?.[0]?.restartCount,
      );
      expect(new Set(restartCounts)).toEqual(new Set([0]));
      expect(serious(started)).toEqual([]);
      await client.close();
    }),
  );
});
