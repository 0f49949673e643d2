import { Account } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../../kubelet/simulated-node.ts';
import { createCloud, type SimulatedCloud } from '../cloud.ts';
import { type BootFaults, noFaults } from '../faults/faults.ts';
import { InstanceBoots } from './instance-boots.ts';

function start(boots: Partial<BootFaults> = {}, keepsAddressesReady = false) {
  const clock = new VirtualClock();
  const faults = { boots: { ...noFaults.boots, jitter: 0, ...boots } };
  const cloud = createCloud({ clock, seed: 7, clusterName: 'prod', faults });
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const account = new Account(
    { services: cloud.services, clusterName: 'prod', region: 'us-west-2', version: '1.36', settle },
    'test',
  );
  const nodes = new Map<string, SimulatedNode>();
  const instanceBoots = new InstanceBoots({
    cloud,
    seed: 7,
    keepsAddressesReady,
    startNode: (node) => nodes.set(node.name, node),
    terminateNode: (name) => nodes.delete(name),
  });
  instanceBoots.start();
  return { clock, cloud, account, nodes, boots: instanceBoots };
}

interface ConfigOptions {
  readonly name?: string;
  readonly endpoint?: string;
  readonly certificate?: string;
  readonly kubelet?: string;
}

function nodeConfig({ world }: SimulatedCloud, options: ConfigOptions = {}): string {
  const { cluster } = world;
  const text = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    apiServerEndpoint: ${options.endpoint ?? cluster.endpoint}
    certificateAuthority: ${options.certificate ?? cluster.certificateAuthority}
    cidr: 172.20.0.0/16
    name: ${options.name ?? cluster.name}
  kubelet:
    config:
${options.kubelet ?? '      maxPods: 29'}
    flags:
    - --node-labels="karpenter.sh/nodepool=default"
`;
  return Buffer.from(text).toString('base64');
}

async function launch(account: Account, UserData: string, hasProfile = true): Promise<string> {
  const IamInstanceProfile = hasProfile ? { Name: await account.profile() } : undefined;
  const template = await account.template({ UserData, ...(IamInstanceProfile && { IamInstanceProfile }) });
  const [id = ''] = await account.running({ template });
  return id;
}

describe('an instance', () => {
  it('joins under its private DNS name after its boot delay', async () => {
    const { account, clock, cloud, nodes } = start();
    const id = await launch(account, nodeConfig(cloud));
    await clock.advance(14_000);
    expect(nodes.size).toBe(0);
    await clock.advance(2_000);
    const instance = cloud.world.instances.get(id);
    const node = nodes.get(instance?.privateDnsName ?? '');
    expect(node).toMatchObject({
      providerID: `aws:///${instance?.zone}/${id}`,
      zone: instance?.zone,
      region: 'us-west-2',
      instanceType: 'm5.large',
      architecture: 'amd64',
      operatingSystem: 'linux',
      internalIP: instance?.privateIp,
      labels: { 'karpenter.sh/nodepool': 'default', 'topology.k8s.aws/zone-id': instance?.zoneId },
    });
  });

  it('reports the resources of its type less those reserved for system and kubelet', async () => {
    const { account, clock, cloud, nodes } = start();
    await launch(account, nodeConfig(cloud));
    await clock.advance(60_000);
    const [node] = nodes.values();
    // 8192 MiB less 4%; reserved are 11 × 29 + 255 MiB for the kubelet and 100 MiB as eviction threshold.
    expect(node?.capacity).toMatchObject({
      cpu: '2',
      memory: `${Math.floor(8_192 * 0.96 * 1_024)}Ki`,
      pods: '29',
    });
    expect(node?.allocatable).toMatchObject({
      cpu: '1930m',
      memory: `${Math.floor((8_192 * 0.96 - 574 - 100) * 1_024)}Ki`,
      pods: '29',
    });
  });

  it('applies the kubelet settings of its user data', async () => {
    const { account, clock, cloud, nodes } = start();
    const kubelet = `      maxPods: 10
      kubeReserved:
        cpu: 500m
        memory: 1Gi
      systemReserved:
        cpu: 100m
      evictionHard:
        memory.available: 100%`;
    await launch(account, nodeConfig(cloud, { kubelet }));
    await clock.advance(60_000);
    const [node] = nodes.values();
    expect(node?.allocatable).toMatchObject({
      cpu: '1400m',
      memory: `${Math.floor((8_192 * 0.96 - 1_024) * 1_024)}Ki`,
      pods: '10',
    });
  });

  it('stops its kubelet when it is terminated', async () => {
    const { account, clock, cloud, nodes } = start();
    const id = await launch(account, nodeConfig(cloud));
    await clock.advance(60_000);
    expect(nodes.size).toBe(1);
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    expect(nodes.size).toBe(0);
  });

  it('never joins if it is terminated before it has booted', async () => {
    const { account, clock, cloud, nodes } = start();
    const id = await launch(account, nodeConfig(cloud));
    cloud.terminate(id);
    await clock.advance(60_000);
    expect(nodes.size).toBe(0);
  });

  it.each([
    ['another cluster', { name: 'other' }, 'no cluster found for name: other'],
    ['another endpoint', { endpoint: 'https://nowhere' }, 'no such host'],
    ['another certificate', { certificate: 'b3RoZXI=' }, 'x509: certificate signed by unknown authority'],
  ])('never joins with the user data of %s', async (_, options, reason) => {
    const { account, boots, clock, cloud, nodes } = start();
    const id = await launch(account, nodeConfig(cloud, options));
    await clock.advance(600_000);
    expect(nodes.size).toBe(0);
    expect(boots.failures.get(id)).toContain(reason);
  });

  it('never joins with invalid kubelet arguments', async () => {
    const { account, boots, clock, cloud, nodes } = start();
    const kubelet = '      kubeReserved:\n        cpu: plenty';
    const id = await launch(account, nodeConfig(cloud, { kubelet }));
    await clock.advance(60_000);
    expect(nodes.size).toBe(0);
    expect(boots.failures.get(id)).toContain('"plenty" is not a quantity');
  });

  it('never joins without an instance profile', async () => {
    const { account, boots, clock, cloud, nodes } = start();
    const id = await launch(account, nodeConfig(cloud), false);
    await clock.advance(60_000);
    expect(nodes.size).toBe(0);
    expect(boots.failures.get(id)).toContain('Unauthorized');
  });

  it('never joins if its role was removed', async () => {
    const { account, clock, cloud, nodes } = start();
    await launch(account, nodeConfig(cloud));
    cloud.world.roles.clear();
    await clock.advance(60_000);
    expect(nodes.size).toBe(0);
  });

  it('runs but never joins if it fails to boot', async () => {
    const { account, boots, clock, cloud, nodes } = start({ failing: 1 });
    const id = await launch(account, nodeConfig(cloud));
    await clock.advance(600_000);
    expect(nodes.size).toBe(0);
    expect(cloud.world.instances.get(id)?.state).toBe('running');
    expect(boots.failures.get(id)).toBe('the machine does not come up');
  });

  it('joins late if it boots slowly', async () => {
    const { account, clock, cloud, nodes } = start({ slow: 1, slowBy: 300_000 });
    await launch(account, nodeConfig(cloud));
    await clock.advance(310_000);
    expect(nodes.size).toBe(0);
    await clock.advance(10_000);
    expect(nodes.size).toBe(1);
  });

  it('leases addresses for its pods until it is terminated, if the cluster does so', async () => {
    const { account, clock, cloud } = start({}, true);
    const id = await launch(account, nodeConfig(cloud));
    const subnet = cloud.world.subnets.get(cloud.world.instances.get(id)?.subnetId ?? '');
    expect(subnet?.inUse).toBe(1);
    await clock.advance(60_000);
    expect(subnet?.inUse).toBe(10);
    cloud.terminate(id);
    await clock.advance(60_000);
    expect(subnet?.inUse).toBe(0);
  });

  it('reports GPUs after the node is ready', async () => {
    const { account, clock, cloud, nodes } = start();
    const template = await account.template({
      UserData: nodeConfig(cloud),
      IamInstanceProfile: { Name: await account.profile() },
    });
    const { SubnetId } = await account.subnet();
    await account.fleet({ template, overrides: [{ InstanceType: 'g4dn.xlarge', SubnetId }] });
    await clock.advance(60_000);
    const [node] = nodes.values();
    expect(node?.capacity['nvidia.com/gpu']).toBe('1');
    expect(node?.devices?.names).toEqual(['nvidia.com/gpu']);
  });
});

describe('instances of a restored account', () => {
  /** Restores the account in a new process, after the given downtime. */
  function restart({ clock, cloud, boots }: ReturnType<typeof start>, laterMs = 0) {
    const nodes = new Map<string, SimulatedNode>();
    const saved = { cloud: cloud.save(), boots: boots.save() };
    cloud.stop();
    const options = { clock: new VirtualClock(clock.now() + laterMs), seed: 7, clusterName: 'prod' };
    const restored = createCloud({ ...options, saved: saved.cloud });
    const resumed = new InstanceBoots({
      cloud: restored,
      seed: 7,
      saved: saved.boots,
      startNode: (node) => nodes.set(node.name, node),
      terminateNode: (name) => nodes.delete(name),
    });
    resumed.start();
    return { cloud: restored, boots: resumed, nodes };
  }

  it('keep their nodes even if their role or the cluster has changed since', async () => {
    const started = start();
    await launch(started.account, nodeConfig(started.cloud));
    await started.clock.advance(60_000);
    started.cloud.upgradeCluster('1.37');
    for (const profile of started.cloud.world.instanceProfiles.values()) delete profile.roleName;
    const { nodes } = restart(started);
    expect([...nodes]).toEqual([...started.nodes]);
    expect([...nodes.values()][0]?.kubeletVersion).toBe('v1.36.0');
  });

  it('continue to boot, and have booted if it was due meanwhile', async () => {
    const started = start();
    await launch(started.account, nodeConfig(started.cloud));
    const early = restart(started, 5_000);
    early.cloud.resume();
    expect(early.nodes.size).toBe(0);
    const late = restart(started, 30_000);
    late.cloud.resume();
    expect(late.nodes.size).toBe(1);
  });

  it('have no node if they were terminated meanwhile', async () => {
    const started = start();
    const id = await launch(started.account, nodeConfig(started.cloud));
    await started.clock.advance(60_000);
    started.cloud.terminate(id);
    const { cloud, nodes } = restart(started, 40_000);
    cloud.resume();
    expect(cloud.world.instances.get(id)?.state).toBe('terminated');
    expect(nodes.size).toBe(0);
  });

  it('join under the address the cluster had when they were launched', async () => {
    const started = start();
    await launch(started.account, nodeConfig(started.cloud));
    const { cloud, boots, nodes } = restart(started, 30_000);
    cloud.moveCluster({ endpoint: 'https://127.0.0.1:1', certificateAuthority: 'bmV3' });
    cloud.resume();
    expect([nodes.size, boots.failures.size]).toEqual([1, 0]);
    expect((await cloud.services.eks.describeCluster({ name: 'prod' })).cluster?.endpoint).toBe(
      'https://127.0.0.1:1',
    );
  });
});
