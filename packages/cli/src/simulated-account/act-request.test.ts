import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkedRequest, faultsInForce, requestAct } from './act-request.ts';
import { faultConfig } from './controls.ts';
import { type SimulatedAccount, startSimulatedAccount } from './simulated-account.ts';

let server: ApiServer;
let client: KubeClient;
let account: SimulatedAccount;
let ended: AbortController;

beforeEach(async () => {
  server = await startApiServer();
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
  ended = new AbortController();
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  account = startSimulatedAccount({
    client,
    clock: systemClock,
    seed: 1,
    clusterName: 'dev',
    fleet: { start: () => undefined, terminate: () => undefined },
    apiServer: { url: server.url, caPem: server.caPem },
    bootDelay: durationMs(0),
    faults: {},
    configMaps: caches.of(kinds.configMap),
    nodes: caches.of(kinds.node),
    onFaults: () => undefined,
  });
  account.cloud.enforcePolicies(undefined);
  await caches.waitForSync(ended.signal);
});

afterEach(async () => {
  await account.stop();
  ended.abort();
  await client.close();
  await server.stop();
});

const faultsDo = (act: string, ...args: readonly string[]) =>
  requestAct({ client, clock: systemClock }, checkedRequest(act, args));

/** A node on an instance of the account. */
async function nodeOn(market: 'spot' | 'on-demand'): Promise<{ readonly name: string; readonly id: string }> {
  const { images, subnets } = account.cloud.world;
  const [image] = images.values();
  const [subnet] = subnets.values();
  const { Instances = [] } = await account.services.ec2.runInstances({
    ImageId: image?.id ?? '',
    InstanceType: 'm5.large',
    SubnetId: subnet?.id ?? '',
    MinCount: 1,
    MaxCount: 1,
    ...(market === 'spot' && { InstanceMarketOptions: { MarketType: 'spot' } }),
  });
  const id = Instances[0]?.InstanceId ?? '';
  const name = `node-${id}`;
  await client.create(kinds.node, { metadata: { name }, spec: { providerID: `aws:///us-west-2a/${id}` } });
  return { name, id };
}

describe('faults do', () => {
  it('reports what happened to the instance of a node', async () => {
    const { name, id } = await nodeOn('spot');
    expect(await faultsDo('interrupt', name)).toBe(
      `EC2 takes the instance back in two minutes (${id}, the instance of ${name})`,
    );
    expect(account.cloud.world.instances.get(id)?.interruptionAt).toBeDefined();
    expect(await faultsDo('impair', name)).toContain('the status check of the instance fails');
    // As `kubectl get nodes -o name` writes it.
    expect(await faultsDo('recover', `node/${name}`)).toContain('passes again');
    expect(await faultsDo('terminate', name)).toContain('the instance is shutting down');
    expect((await client.list(kinds.configMap, { labelSelector: 'simulated-cloud/request' })).items).toEqual(
      [],
    );
  });

  it('is answered after the faults that were set before it, and says which are in force', async () => {
    const asked = () => faultsInForce({ client, clock: systemClock });
    expect(await asked()).toBe('');
    const metadata = { namespace: faultConfig.namespace, name: faultConfig.name };
    const set = (text: string) =>
      client.apply(
        kinds.configMap,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [faultConfig.key]: text } },
        { fieldManager: 'test', force: true },
      );
    await set('latency: 7ms');
    expect(await asked()).toBe('latency: 7ms');
    await set('latency: soon');
    expect(await asked()).toBe('latency: 7ms');
    await client.delete(kinds.configMap, faultConfig);
    expect(await asked()).toBe('');
  });

  it('fails with the reason if nothing can happen', async () => {
    const refused = (message: string) => ({ code: 'act-refused', message: expect.stringContaining(message) });
    const onDemand = await nodeOn('on-demand');
    const spot = await nodeOn('spot');
    await faultsDo('interrupt', spot.name);
    await expect(faultsDo('interrupt', spot.name)).rejects.toMatchObject(
      refused('is being interrupted already'),
    );
    await expect(faultsDo('interrupt', onDemand.name)).rejects.toMatchObject(
      refused(`cannot interrupt ${onDemand.name}: its instance ${onDemand.id} is on-demand`),
    );
    await expect(faultsDo('rebalance', onDemand.name)).rejects.toMatchObject(refused('is on-demand'));
    await expect(faultsDo('recover', onDemand.name)).rejects.toMatchObject(refused('does not fail'));
    await faultsDo('terminate', onDemand.name);
    await expect(faultsDo('terminate', onDemand.name)).rejects.toMatchObject(refused('is shutting-down'));
    await expect(faultsDo('interrupt', 'nobody')).rejects.toMatchObject(refused('there is no such node'));
    await client.create(kinds.node, { metadata: { name: 'system' }, spec: { providerID: 'aws:///a/i-0' } });
    await expect(faultsDo('terminate', 'system')).rejects.toMatchObject(
      refused('its instance i-0 is not one of the simulated account'),
    );
  });

  it('releases images that are newer than the latest, each time', async () => {
    const Name = '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/recommended/image_id';
    const latest = async () => (await account.services.ssm.getParameter({ Name })).Parameter?.Value;
    const seen = [await latest()];
    for (const _ of [1, 2]) {
      expect(await faultsDo('release-images')).toMatch(/^\d+ images are released/);
      seen.push(await latest());
    }
    expect(new Set(seen).size).toBe(3);
  });

  it('adds and cancels a capacity reservation', async () => {
    const message = await faultsDo('add-reservation', 'm5.large', 'us-west-2a', '3');
    const id = /cr-\w+/.exec(message)?.[0] ?? '';
    expect(account.cloud.world.capacityReservations.get(id)?.available).toBe(3);
    expect(await faultsDo('cancel-reservation', id)).toContain('is cancelled');
    await expect(faultsDo('cancel-reservation', id)).rejects.toThrow('is not active any more');
  });

  it('adds a placement group and an instance profile', async () => {
    const { world } = account.cloud;
    expect(await faultsDo('add-placement-group', 'racks', 'partition')).toMatch(
      /^the placement group racks \(pg-\w+\) has the strategy partition$/,
    );
    expect([...world.placementGroups.values()]).toMatchObject([{ name: 'racks', partitions: 2 }]);
    await expect(faultsDo('add-placement-group', 'racks')).rejects.toThrow('group racks already');
    expect(await faultsDo('add-instance-profile', 'nodes')).toBe(
      'the instance profile nodes has the role KarpenterNodeRole-dev',
    );
    expect(world.instanceProfiles.get('nodes')?.roleName).toBe('KarpenterNodeRole-dev');
    await expect(faultsDo('add-instance-profile', 'nodes')).rejects.toThrow('profile nodes already');
  });

  it('drains and refills a capacity pool', async () => {
    const pool = ['m5.large', 'us-west-2b', 'spot'];
    expect(await faultsDo('drain-pool', ...pool)).toBe(
      'm5.large spot in us-west-2b has room for 0 more instances now',
    );
    expect(await faultsDo('refill-pool', ...pool, '7')).toContain('room for 7 more');
    await faultsDo('refill-pool', ...pool);
    const usual = { type: 'm5.large', zone: 'us-west-2b', capacityType: 'spot' } as const;
    expect(account.cloud.pools.available(usual)).toBeGreaterThan(7);
  });

  it('shifts a zone and ends the shift, upgrades the cluster and sends a message', async () => {
    expect(await faultsDo('shift-zone', 'us-west-2c', '30m')).toContain('shifted away from us-west-2c');
    expect(account.cloud.world.shifts.size).toBe(1);
    expect(await faultsDo('end-shift', 'us-west-2c')).toBe('the zonal shift away from us-west-2c is over');
    await expect(faultsDo('end-shift', 'us-west-2c')).rejects.toThrow('no zonal shift');
    expect(await faultsDo('upgrade-cluster', '1.37')).toBe('the EKS cluster has version 1.37 now');
    await expect(faultsDo('upgrade-cluster', '1.36')).rejects.toThrow('the cluster has 1.37 already');
    expect(await faultsDo('send-message', 'hello')).toBe('the message is on the interruption queue');
  });

  it.each([
    [['add-reservation', 'm5.huge', 'us-west-2a', '1'], 'there is no instance type "m5.huge"'],
    [['add-reservation', 'm5.large', 'us-west-2z', '1'], 'the simulated account has no zone "us-west-2z"'],
    [['add-reservation', 'm5.large', 'us-west-2a', '0'], 'is not a whole number of at least 1'],
    [['add-placement-group', 'racks', 'tight'], '"tight" is none of the strategies'],
    [['add-instance-profile', 'no name'], '"no name" is not a name'],
    [['cancel-reservation', 'cr-0'], 'there is no capacity reservation cr-0'],
    [['drain-pool', 'm5.large', 'us-west-2a', 'cheap'], '"cheap" is neither on-demand nor spot'],
    [['refill-pool', 'm5.large', 'us-west-2a', 'spot', '-1'], 'the depth, "-1", is not a whole number'],
    [['shift-zone', 'us-west-2a', 'soon'], '"soon" is not a duration'],
    [['upgrade-cluster', 'latest'], '"latest" is not a version such as 1.37'],
  ])('refuses %j with the reason', async ([act = '', ...args], message) => {
    await expect(faultsDo(act, ...args)).rejects.toMatchObject({
      code: 'act-refused',
      message: expect.stringContaining(message),
    });
  });

  it('does not carry out a request that an earlier process has left behind', async () => {
    const { name, id } = await nodeOn('spot');
    await account.stop();
    const request = { act: 'terminate', args: [name] };
    await client.create(kinds.configMap, {
      metadata: {
        name: 'simulated-cloud-request-old',
        namespace: 'kube-system',
        labels: { 'simulated-cloud/request': 'terminate' },
      },
      data: { request: JSON.stringify(request) },
    });
    const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
    const hourLater = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
    const parts = { client, clock: hourLater, cloud: account.cloud };
    const { followRequests } = await import('./followed-requests.ts');
    const stop = followRequests({
      ...parts,
      configMaps: caches.of(kinds.configMap),
      report: () => undefined,
      faultsInForce: () => undefined,
    });
    const left = async () =>
      client.find(kinds.configMap, { name: 'simulated-cloud-request-old', namespace: 'kube-system' });
    await expect.poll(left).toBeUndefined();
    expect(account.cloud.world.instances.get(id)?.state).not.toBe('shutting-down');
    stop();
  });
});
