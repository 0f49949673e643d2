import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from '@karpenter/testkit/http-server';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../client/index.ts';
import { loadConfig } from './load-config.ts';

it('connects through the proxy of a kubeconfig', async () => {
  const server = await startHttpServer(
    (exchange) => {
      exchange.start(200);
      exchange.end(String(exchange.headers['authorization']));
    },
    { protocol: 'https' },
  );
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', (request, near) => {
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const far = connectSocket(Number(port), hostname, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    near.on('close', () => far.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  const file = join(directory, 'config');
  const cluster = {
    server: server.url,
    'certificate-authority-data': Buffer.from(server.authority.cert).toString('base64'),
    'proxy-url': `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  };
  const kubeconfig = {
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
    clusters: [{ name: 'main', cluster }],
    users: [{ name: 'main', user: { token: 'secret' } }],
  };
  await writeFile(file, JSON.stringify(kubeconfig));
  const client = connect(await loadConfig({ kubeconfig: file }));
  onTestFinished(async () => {
    await client.close();
    await server.close();
    proxy.close();
    await rm(directory, { recursive: true });
  });
  expect(await client.request('GET', '/')).toBe('Bearer secret');
  expect(tunnels).toEqual([new URL(server.url).host]);
});
