import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gauge } from '@karpenter/core/api';
import { MetricRegistry } from '@karpenter/kube/metrics';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type EndpointOptions, type Endpoints, startEndpoints } from './endpoints.ts';

const running: Endpoints[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((endpoints) => endpoints.stop()));
});

async function start(options: Partial<EndpointOptions> = {}): Promise<Endpoints> {
  const registry = new MetricRegistry();
  registry.set(gauge('karpenter_answer', 'Everything.'), {}, 42);
  const endpoints = await startEndpoints({
    metricsPort: 0,
    healthPort: 0,
    registry,
    obstacle: () => undefined,
    isProfiling: false,
    ...options,
  });
  running.push(endpoints);
  return endpoints;
}

async function get(port: number, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
}

describe('the endpoints', () => {
  it.each([-1, 65_536, 1e9, 1.5])('do not listen on port %s', async (metricsPort) => {
    await expect(start({ metricsPort })).rejects.toThrow(
      `cannot listen on port ${metricsPort}: a port is a whole number up to 65535; choose another with --metrics-port`,
    );
  });

  it('serve metrics as text', async () => {
    const { metricsPort } = await start();
    const { status, text } = await get(metricsPort, '/metrics');
    expect({ status, text }).toMatchObject({
      status: 200,
      text: expect.stringContaining('karpenter_answer 42'),
    });
  });

  it('do not find a path that is no URL', async () => {
    const { metricsPort, healthPort } = await start();
    for (const port of [metricsPort, healthPort]) {
      const [reply] = await once(request({ port, host: '127.0.0.1', path: '//' }).end(), 'response');
      reply.resume();
      expect(reply.statusCode).toBe(404);
    }
  });

  it('make no more of the metrics than a slow reader takes', async () => {
    let made = 0;
    const line = `karpenter_answer{padding="${'x'.repeat(1000)}"} 42\n`;
    class Endless extends MetricRegistry {
      override *exposition() {
        for (; made < 200_000; made += 1) yield line;
      }
    }
    const { metricsPort } = await start({ registry: new Endless() });
    const socket = connect(metricsPort, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (made === 0) await setImmediate();
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
    expect(made).toBeLessThan(100_000);
  });

  it('say that the process lives while it is not ready', async () => {
    const { healthPort } = await start({ obstacle: () => 'caches of nodes are not synced' });
    expect(await get(healthPort, '/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await get(healthPort, '/readyz')).toEqual({ status: 500, text: 'caches of nodes are not synced' });
  });

  it('give no profiles unless profiling is on', async () => {
    const off = await start();
    expect(await get(off.metricsPort, '/debug/pprof/profile?seconds=0.01')).toMatchObject({ status: 404 });
    const on = await start({ isProfiling: true });
    const { status, text } = await get(on.metricsPort, '/debug/pprof/profile?seconds=0.01');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty('nodes');
    expect(await get(on.metricsPort, '/debug/pprof/x')).toMatchObject({ status: 404 });
  });

  it('say which port is taken and which setting chooses another', async () => {
    const { metricsPort } = await start();
    await expect(start({ metricsPort })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining('--metrics-port'),
    });
  });
});
