import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actAnnotation, faultConfig } from './controls.ts';
import { type SimulatedAccount, startSimulatedAccount } from './simulated-account.ts';

let server: ApiServer;
let client: KubeClient;
let account: SimulatedAccount;
let ended: AbortController;
let reports: string[];
let clock: VirtualClock;

beforeEach(async () => {
  server = await startApiServer();
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
  ended = new AbortController();
  reports = [];
  clock = new VirtualClock();
  const caches = new CacheSet({ client, clock, signal: ended.signal });
  account = startSimulatedAccount({
    client,
    clock,
    seed: 1,
    clusterName: 'dev',
    fleet: { start: () => undefined, terminate: () => undefined },
    apiServer: { url: server.url, caPem: server.caPem },
    bootDelay: durationMs(5_000),
    faults: { deny: ['iam:*'] },
    configMaps: caches.of(kinds.configMap),
    nodes: caches.of(kinds.node),
    onFaults: (message) => reports.push(message),
  });
  await caches.of(kinds.node).waitForSync(ended.signal);
});

afterEach(async () => {
  await account.stop();
  ended.abort();
  await client.close();
  await server.stop();
});

const patience = { timeout: 30_000 };
const reported = () => expect.poll(() => reports.at(-1), patience);

function setFaults(text: string): Promise<unknown> {
  const { namespace, name, key } = faultConfig;
  return client.apply(
    kinds.configMap,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { [key]: text } },
    { fieldManager: 'test', force: true },
  );
}

describe('the faults of a simulated account', () => {
  it('follow the ConfigMap, which overrides those of the start, until it is deleted', async () => {
    await setFaults('latency: 50ms');
    await reported().toBe('faults of the simulated cloud have changed');
    expect(account.cloud.faults.current).toMatchObject({ latency: 50, deny: ['iam:*'] });
    await setFaults("deny: ['ec2:RunInstances']");
    await expect
      .poll(() => account.cloud.faults.current, patience)
      .toMatchObject({ latency: 0, deny: ['ec2:RunInstances'] });
    await client.delete(kinds.configMap, faultConfig);
    await reported().toBe('faults of the simulated cloud are those of the start');
    expect(account.cloud.faults.current).toMatchObject({ latency: 0, deny: ['iam:*'] });
  });

  it('stay unchanged when the ConfigMap is invalid, and the reason is reported', async () => {
    await setFaults('latency: soon');
    await reported().toMatch(/^faults of the simulated cloud stay as they are: .*latency/);
    expect(account.cloud.faults.current.deny).toEqual(['iam:*']);
  });
});

it('an instance boots as long after its launch as the boot delay says, the time in which it is pending included', async () => {
  const booted: number[] = [];
  account.cloud.onBoot(() => booted.push(clock.now()));
  const launchedAt = clock.now();
  await launchedInstance();
  await clock.advance(durationMs(4_999));
  expect(booted).toEqual([]);
  await clock.advance(durationMs(1));
  expect(booted).toEqual([launchedAt + 5_000]);
});

describe('an act on a node', () => {
  it('is carried out once on the instance of the node, and reported', async () => {
    const id = await launched();
    await act('node-1', 'terminate');
    await reported().toBe(`terminate: the instance is shutting down (${id}, the instance of node-1)`);
    expect(account.cloud.world.instances.get(id)?.state).toBe('shutting-down');
  });

  it('that is not possible is reported', async () => {
    await client.create(kinds.node, { metadata: { name: 'node-2' }, spec: { providerID: 'aws:///z/i-0' } });
    await act('node-2', 'interrupt');
    await reported().toBe(
      'interrupt: cannot interrupt node-2: its instance i-0 is not one of the simulated account; choose another node',
    );
  });

  async function act(name: string, word: 'terminate' | 'interrupt'): Promise<void> {
    const annotations = { [actAnnotation]: `${word}@2026-11-15T10:00:00Z` };
    await client.patch(kinds.node, { name }, { type: 'merge', body: { metadata: { annotations } } });
  }

  /** The instance behind node-1. */
  async function launched(): Promise<string> {
    const id = await launchedInstance();
    await client.create(kinds.node, {
      metadata: { name: 'node-1' },
      spec: { providerID: `aws:///us-west-2a/${id}` },
    });
    return id;
  }
});

async function launchedInstance(): Promise<string> {
  // As an operator of the account would, without tags; the policies of the controller do not allow that.
  account.cloud.enforcePolicies(undefined);
  const [image] = account.cloud.world.images.values();
  const [subnet] = account.cloud.world.subnets.values();
  const { Instances = [] } = await account.services.ec2.runInstances({
    ImageId: image?.id ?? '',
    InstanceType: 'm5.large',
    SubnetId: subnet?.id ?? '',
    MinCount: 1,
    MaxCount: 1,
  });
  return Instances[0]?.InstanceId ?? '';
}
