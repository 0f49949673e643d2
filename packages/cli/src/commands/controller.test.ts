import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Endpoints, JsonLog } from '@karpenter/controllers';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { freePort } from '@karpenter/testkit/control-plane';
import { boundAddresses } from '@karpenter/testkit/http-server';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runControllerProcess, settingsWith } from '../controller/index.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from '../dev/embedded-cluster.ts';
import { startSimulatedRun } from '../simulated-account/index.ts';
import { addControllerCommand, type ControllerWiring } from './controller.ts';

const lease = { namespace: 'kube-system', name: 'karpenter-leader-election' };
const patience = { timeout: 30_000 };

let directory: string;
let kubeconfig: string;
let cluster: EmbeddedCluster;
let client: KubeClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-controller-'));
  kubeconfig = join(directory, 'kubeconfig');
  cluster = await startEmbeddedCluster({
    kubeconfig,
  });
  client = connect(cluster.config);
});

afterAll(async () => {
  await client.close();
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A command that runs until it receives a stop request. */
function controller(...args: readonly string[]) {
  return controllerWith({}, ...args);
}

function controllerWith(wiring: Partial<ControllerWiring>, ...args: readonly string[]) {
  let out = '';
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: () => {},
  };
  const program = new Command().exitOverride().configureOutput({ writeOut: terminal.out });
  addControllerCommand(program, terminal, {
    stopRequest: () => stopped,
    startSimulatedRun: async (options) => startSimulatedRun(options),
    ...wiring,
  });
  const ended = program.parseAsync(['controller', ...args], { from: 'user' });
  return { ended, stop, text: () => out };
}

const onThisCluster = () => ['--cloud', 'simulated', '--kubeconfig', kubeconfig];
const freePorts = ['--metrics-port=0', '--health-probe-port=0'];

describe('karpenter controller', () => {
  it('lists its settings with their environment variables in its help', async () => {
    const { ended, text } = controller('--help');
    await expect(ended).rejects.toMatchObject({ exitCode: 0 });
    for (const word of [
      '--cloud <cloud>',
      '--batch-idle-duration',
      'BATCH_IDLE_DURATION',
      '--cluster-name',
    ]) {
      expect(text()).toContain(word);
    }
  });

  it.each([
    [['--log-level=loud'], 'validating cli flags / env vars, invalid LOG_LEVEL "loud"'],
    [['--metrics-port=many'], '--metrics-port: "many" is not a whole number'],
    [['--no-such-setting=1'], 'no-such-setting'],
  ])('refuses %j with one sentence', async (args, message) => {
    const { ended } = controller(...onThisCluster(), ...args);
    await expect(ended).rejects.toThrow(message);
  });

  it('rejects a port in use in one sentence', async () => {
    const { port } = new URL(cluster.url);
    const { ended } = controller(...onThisCluster(), `--metrics-port=${port}`, '--health-probe-port=0');
    await expect(ended).rejects.toThrow(`port ${port}`);
  });

  it('serves probes and metrics on all addresses, because requests come from outside its pod', async () => {
    const addresses = await boundAddresses(async () => {
      const { ended, stop, text } = controller(...onThisCluster(), ...freePorts, '--disable-leader-election');
      await expect.poll(text, patience).not.toBe('');
      stop();
      await ended;
    });
    const everywhere = expect.stringMatching(/^(::|0\.0\.0\.0)$/);
    expect(addresses).toEqual([everywhere, everywhere]);
  });

  it('serves the page on loopback where a port is set, for reading only, and goes on without a built one', async () => {
    const pageDirectory = join(directory, 'page');
    const uiPort = `--ui-port=${await freePort()}`;
    const flags = [...onThisCluster(), ...freePorts, '--disable-leader-election', uiPort];
    const { ended, stop, text } = controllerWith({ pageDirectory }, ...flags);
    await expect.poll(text, patience).toContain('"message":"page is not served"');
    expect(text()).toContain('run npm run build -w packages/ui in the checkout');
    stop();
    await ended;
    await mkdir(pageDirectory);
    await writeFile(join(pageDirectory, 'index.html'), '<!doctype html>');
    const built = controllerWith({ pageDirectory }, ...flags);
    await expect.poll(built.text, patience).toContain('"message":"Serving page"');
    const url = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(built.text())?.[1];
    expect((await fetch(`${url}/`)).status).toBe(200);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/api/what-if`, { method: 'POST', headers, body: '{}' })).status).toBe(501);
    built.stop();
    await built.ended;
    await expect(fetch(`${url}/`)).rejects.toThrow();
  });

  it('holds the lease while it runs and releases it on stop', async () => {
    const { ended, stop, text } = controller(
      ...onThisCluster(),
      ...freePorts,
      `--leader-election-namespace=${lease.namespace}`,
    );
    const holder = async () => {
      const { items } = await client.list(kinds.lease, { namespace: lease.namespace });
      return items.find(({ metadata }) => metadata?.name === lease.name)?.spec?.holderIdentity ?? '';
    };
    await expect.poll(holder, patience).not.toBe('');
    await expect.poll(text, patience).toContain('"message":"new leader elected"');
    stop();
    await ended;
    expect(await holder()).toBe('');
  });
});

describe('the controller process', () => {
  it('serves probes and metrics while it runs', async () => {
    const ended = new AbortController();
    let resolveEndpoints: (endpoints: Endpoints) => void = () => undefined;
    const listening = new Promise<Endpoints>((resolve) => {
      resolveEndpoints = resolve;
    });
    const run = runControllerProcess({
      config: cluster.config,
      settings: settingsWith({
        'cluster-name': 'dev',
        'interruption-queue': 'dev',
        'disable-leader-election': 'true',
        'metrics-port': '0',
        'health-probe-port': '0',
      }),
      account: cluster.account,
      clock: systemClock,
      log: new JsonLog({ level: 'error', now: () => systemClock.now(), write: () => undefined }),
      signal: ended.signal,
      onListening: (endpoints) => resolveEndpoints(endpoints),
    });
    const { metricsPort, healthPort } = await listening;
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${healthPort}${path}`)).status;
    expect(await status('/healthz')).toBe(200);
    await expect.poll(() => status('/readyz'), patience).toBe(200);
    const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await expect
      .poll(scrape, patience)
      .toContain('controller_runtime_reconcile_total{controller="provisioner"');
    expect(await scrape()).toMatch(/^process_resident_memory_bytes \d+$/m);
    ended.abort();
    await run;
    await expect(status('/healthz')).rejects.toThrow();
  });
});
