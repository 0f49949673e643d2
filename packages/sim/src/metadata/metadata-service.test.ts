import { once } from 'node:events';
import { request } from 'node:http';
import { Account } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCloud, type SimulatedCloud } from '../cloud/index.ts';
import { cloudMetadata, type MetadataService, startMetadataService } from './index.ts';

let clock: VirtualClock;
let cloud: SimulatedCloud;
let service: MetadataService;
let id: string;

beforeEach(async () => {
  clock = new VirtualClock();
  cloud = createCloud({ clock, seed: 7, clusterName: 'prod' });
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const place = {
    services: cloud.services,
    clusterName: 'prod',
    region: 'us-west-2',
    version: '1.36',
    settle,
  };
  [id = ''] = await new Account(place, 'test').running({ market: 'spot' });
  service = await startMetadataService({ clock, instance: (each) => cloudMetadata(cloud, each) });
});
afterEach(() => service.stop());

const send = (path: string, init: RequestInit = {}) => fetch(`${service.urlOf(id)}/latest/${path}`, init);
const token = async (seconds = '21600') => {
  const headers = { 'x-aws-ec2-metadata-token-ttl-seconds': seconds };
  return send('api/token', { method: 'PUT', headers });
};

/** Status and text of a document, with a new token. */
async function read(path: string): Promise<readonly [number, string]> {
  const headers = { 'x-aws-ec2-metadata-token': await (await token()).text() };
  const reply = await send(path, { headers });
  return [reply.status, await reply.text()];
}

describe('a path that is no URL', () => {
  it.each(['//', '/\\\\', '//['])('%s is not found, and the service goes on', async (path) => {
    const { port } = new URL(service.urlOf(id));
    const sent = request({ port, host: '127.0.0.1', path }).end();
    const [reply] = await once(sent, 'response');
    reply.resume();
    expect(reply.statusCode).toBe(404);
    expect((await token()).status).toBe(200);
  });
});

describe('the service', () => {
  it('remembers only its last requests', async () => {
    const forgetful = await startMetadataService({ clock, instance: () => undefined, mostRequests: 2 });
    onTestFinished(() => forgetful.stop());
    for (const path of ['a', 'b', 'c']) await (await fetch(`${forgetful.urlOf(id)}/${path}`)).text();
    expect(forgetful.requests).toEqual(['GET /b', 'GET /c']);
  });
});

describe('a token', () => {
  it('is needed, expires, and says how long it lasts', async () => {
    expect((await send('meta-data/instance-id')).status).toBe(401);
    const headers = { 'x-aws-ec2-metadata-token': await (await token('60')).text() };
    await clock.advance(59_000);
    const reply = await send('meta-data/instance-id', { headers });
    expect([reply.status, reply.headers.get('x-aws-ec2-metadata-token-ttl-seconds')]).toEqual([200, '1']);
    await clock.advance(1_000);
    expect((await send('meta-data/instance-id', { headers })).status).toBe(401);
  });

  it.each(['0', '21601', 'x', '1.5'])('with a lifetime of %s is refused', async (seconds) => {
    expect((await token(seconds)).status).toBe(400);
  });

  it('is not given to a proxy', async () => {
    const headers = { 'x-aws-ec2-metadata-token-ttl-seconds': '60', 'x-forwarded-for': '10.0.0.1' };
    expect((await send('api/token', { method: 'PUT', headers })).status).toBe(403);
  });
});

describe('an instance of the account', () => {
  it('says what it is', async () => {
    const instance = cloud.world.instances.get(id);
    expect(JSON.parse((await read('dynamic/instance-identity/document'))[1])).toMatchObject({
      instanceId: id,
      instanceType: instance?.type,
      region: 'us-west-2',
    });
    expect(await read('meta-data/instance-life-cycle')).toEqual([200, 'spot']);
    expect(await read('meta-data/local-ipv4')).toEqual([200, instance?.privateIp]);
    expect((await read('meta-data/public-ipv4'))[0]).toBe(404);
  });

  it('shows nothing while nothing is announced', async () => {
    for (const path of [
      'spot/instance-action',
      'events/recommendations/rebalance',
      'autoscaling/target-lifecycle-state',
    ])
      expect((await read(`meta-data/${path}`))[0]).toBe(404);
    expect(await read('meta-data/events/maintenance/scheduled')).toEqual([200, '[]']);
  });

  it('shows its interruption with the time of its end, also after a restart of the account', async () => {
    const now = clock.now();
    cloud.interrupt(id);
    const expected = { action: 'terminate', time: `${new Date(now + 120_000).toISOString().slice(0, 19)}Z` };
    expect(JSON.parse((await read('meta-data/spot/instance-action'))[1])).toEqual(expected);
    cloud = createCloud({ clock, seed: 7, clusterName: 'prod', saved: cloud.save() });
    expect(JSON.parse((await read('meta-data/spot/instance-action'))[1])).toEqual(expected);
  });

  it('shows its rebalance recommendation and its maintenance', async () => {
    const noticeTime = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    cloud.rebalance(id);
    expect(JSON.parse((await read('meta-data/events/recommendations/rebalance'))[1])).toEqual({ noticeTime });
    cloud.maintenance(id, 'system-reboot', Date.UTC(2026, 0, 21, 9, 0, 43));
    expect(JSON.parse((await read('meta-data/events/maintenance/scheduled'))[1])).toMatchObject([
      { Code: 'system-reboot', State: 'active', NotBefore: '21 Jan 2026 09:00:43 GMT' },
    ]);
  });

  it('answers no more once it is terminated', async () => {
    cloud.terminate(id);
    expect((await token()).status).toBe(404);
  });
});
