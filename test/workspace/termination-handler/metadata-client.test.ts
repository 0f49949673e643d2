import { readInstanceIdentity } from '@karpenter/termination-handler';
import { afterEach, describe, expect, it } from 'vitest';
import {
  happens,
  type MetadataWorld,
  type MetadataWorldOptions,
  startMetadataWorld,
} from './metadata-world.ts';

let world: MetadataWorld;
const start = async (options?: MetadataWorldOptions) => {
  world = await startMetadataWorld(options);
  return world;
};
afterEach(() => world.service.stop());

const token = 'PUT /latest/api/token';
const typeRequest = 'GET /latest/meta-data/instance-type';
const read = () => world.client.read('meta-data/instance-type');

describe('the session token', () => {
  it('is requested once and sent with every request', async () => {
    const { service } = await start();
    expect([await read(), await read()]).toEqual(['m5.large', 'm5.large']);
    expect(service.requests).toEqual([token, typeRequest, typeRequest]);
  });

  it('is renewed when it has fifteen seconds left', async () => {
    const { clock, service } = await start();
    await read();
    await clock.leap(3_600_000 - 16_000);
    await read();
    expect(service.requests.filter((each) => each === token)).toHaveLength(1);
    await clock.leap(1_000);
    expect(await read()).toBe('m5.large');
    expect(service.requests.filter((each) => each === token)).toHaveLength(2);
  });

  it('is replaced once after a 401', async () => {
    const { service } = await start();
    await read();
    service.tokens.revokeAll();
    expect(await read()).toBe('m5.large');
    expect(service.requests.slice(2)).toEqual([typeRequest, token, typeRequest]);
  });

  it('is not requested again and again while the service answers 401', async () => {
    const { service } = await start();
    service.faults.set({ path: 'instance-type', status: 401 });
    await expect(read()).rejects.toMatchObject({ code: 'metadata-unexpected', details: { status: 401 } });
    expect(service.requests).toEqual([token, typeRequest, token, typeRequest]);
  });

  it.each([403, 404, 500])(
    'is left out when the service answers %i to the request for one',
    async (status) => {
      const { service } = await start({ requiresToken: false });
      service.faults.set({ path: 'api/token', status });
      expect(await read()).toBe('m5.large');
    },
  );
});

describe('an answer', () => {
  it('of 404 means that there is no document', async () => {
    await start();
    expect(await world.client.read('meta-data/spot/instance-action')).toBeUndefined();
  });

  it.each([301, 400, 500, 503])('of %i is an error and is not asked for again', async (status) => {
    const { service } = await start();
    service.faults.set({ path: 'instance-type', status });
    await expect(read()).rejects.toMatchObject({ code: 'metadata-unexpected', details: { status } });
    expect(service.requests.filter((each) => each === typeRequest)).toHaveLength(1);
  });

  it('that breaks off is asked for again, after waits that double and have jitter', async () => {
    const { clock, service } = await start();
    service.faults.set({ path: 'instance-type', drops: true, times: 2 });
    const reading = read();
    for (const wait of [2_500, 5_000]) {
      const wake = clock.now() + wait;
      await happens(() => clock.nextWake === wake);
      await clock.advance(wait);
    }
    expect(await reading).toBe('m5.large');
    expect(service.requests).toEqual([token, typeRequest, typeRequest, typeRequest]);
  });

  it('that takes longer than two seconds counts as none', async () => {
    const { clock, service } = await start({ tries: 1 });
    await read();
    service.faults.set({ path: 'instance-type', delay: 60_000 });
    const reading = read().catch((error: unknown) => error);
    await happens(() => service.requests.length === 3);
    await clock.advance(2_000);
    expect(await reading).toMatchObject({ code: 'metadata-unreachable' });
    expect(String(await reading)).toContain('no answer within 2 s');
  });

  it('never comes: the error says where and what to check after the last try', async () => {
    const { service } = await start({ tries: 1 });
    service.faults.set({ drops: true });
    await expect(read()).rejects.toThrow(
      /instance-type of the instance metadata service at http.*host network/,
    );
  });
});

describe('the identity of the instance', () => {
  const identity = {
    accountId: '123456789012',
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm5.large',
    instanceLifeCycle: 'spot',
    availabilityZone: 'us-west-2a',
    region: 'us-west-2',
    localHostname: 'ip-10-0-0-7.us-west-2.compute.internal',
    localIp: '10.0.0.7',
    publicHostname: '',
    publicIp: '',
  };

  it('comes from the identity document', async () => {
    await start();
    expect(await readInstanceIdentity(world.client)).toEqual(identity);
    expect(world.service.requests).not.toContain('GET /latest/meta-data/instance-id');
  });

  it.each([{ status: 404 }, { body: '{"accountId": 7' }])(
    'comes from single entries without it',
    async (fault) => {
      await start();
      world.service.faults.set({ path: 'instance-identity/document', ...fault });
      expect(await readInstanceIdentity(world.client)).toEqual({ ...identity, accountId: '' });
    },
  );
});
