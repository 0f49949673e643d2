import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startApiServer } from '@karpenter/sim/apiserver';
import { agentMain } from '@karpenter/termination-handler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MetadataWorld, startMetadataWorld } from './metadata-world.ts';

type Host = Parameters<typeof agentMain>[1];

let directory: string;
let metadata: MetadataWorld;
let server: Awaited<ReturnType<typeof startApiServer>>;
let written: string;
let errors: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handler-main-'));
  metadata = await startMetadataWorld();
  server = await startApiServer({});
  [written, errors] = ['', ''];
});
afterEach(async () => {
  await metadata.service.stop();
  await server.stop();
  await rm(directory, { recursive: true });
});

async function host(more: Partial<Host> = {}): Promise<Host> {
  const kubeconfig = join(directory, 'kubeconfig');
  const cluster = {
    server: server.url,
    'certificate-authority-data': Buffer.from(server.caPem).toString('base64'),
  };
  const config = {
    'current-context': 'a',
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user: { token: server.token } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  return {
    env: { KUBECONFIG: kubeconfig, NODE_NAME: 'node-a', INSTANCE_METADATA_URL: metadata.url },
    clock: systemClock,
    random: Math.random,
    write: (text) => {
      written += text;
    },
    writeError: (text) => {
      errors += text;
    },
    signal: new AbortController().signal,
    version: '1.2.3',
    ...more,
  };
}

describe('the program', () => {
  it('prints help and version', async () => {
    expect(await agentMain(['--help'], await host())).toBe(0);
    expect(written).toContain('--enable-spot-interruption-draining');
    written = '';
    expect([await agentMain(['--version'], await host()), written]).toEqual([0, '1.2.3\n']);
  });

  it('names all settings that cannot be used, in one line', async () => {
    expect(await agentMain(['--workers=0', '--taint-effect=x', '--heartbeat-interval=5'], await host())).toBe(
      1,
    );
    expect(errors).toMatch(/^node-termination-handler: .*taint-effect.*workers.*heartbeat-interval.*\n$/);
  });

  it('ends with a sentence when the node does not exist', async () => {
    expect(await agentMain(['--json-logging'], await host())).toBe(1);
    expect(errors).toBe(
      'node-termination-handler: there is no node named node-a nor one with that host name; set NODE_NAME from spec.nodeName\n',
    );
  });

  it('ends with a sentence when a template of the webhook is wrong', async () => {
    const flags = ['--webhook-url=https://hooks.example', '--webhook-template={{ .Nod }}'];
    expect(await agentMain(flags, await host())).toBe(1);
    expect(errors).toMatch(
      /^node-termination-handler: cannot use the webhook template: there is no field Nod/,
    );
  });

  it('serves metrics and the probe until it is stopped, and exits with 0', async () => {
    const client = connect({
      server: server.url,
      ca: server.caPem,
      credentials: tokenCredentials(server.token),
    });
    await client.create(kinds.node, { metadata: { name: 'node-a' } });
    await client.close();
    const stopped = new AbortController();
    let asked: Promise<void> = Promise.resolve();
    const onListening: NonNullable<Host['onListening']> = ({ metricsPort, probesPort }) => {
      const ask = async () => {
        const probe = await fetch(`http://127.0.0.1:${probesPort}/live`);
        expect([probe.status, await probe.text()]).toEqual([200, '{"health":"OK"}']);
        expect((await fetch(`http://127.0.0.1:${probesPort}/healthz`)).status).toBe(404);
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
      };
      asked = ask().finally(() => stopped.abort());
    };
    const flags = [
      '--enable-prometheus-server',
      '--prometheus-server-port=0',
      '--enable-probes-server',
      '--probes-server-port=0',
      '--probes-server-endpoint=/live',
    ];
    expect(await agentMain(flags, await host({ signal: stopped.signal, onListening }))).toBe(0);
    await asked;
    expect(errors).toBe('');
  });

  it('says which port is in use', async () => {
    const { port } = new URL(metadata.url);
    const flags = ['--enable-probes-server', `--probes-server-port=${port}`];
    expect(await agentMain(flags, await host())).toBe(1);
    expect(errors).toMatch(
      new RegExp(`cannot listen on port ${port}: .*; choose another with --probes-server-port`),
    );
  });
});
