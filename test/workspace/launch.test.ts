import {
  batchedEc2,
  CapacityReservationProvider,
  ClusterCidr,
  claimFieldsOf,
  type EC2NodeClass,
  ImageProvider,
  InstanceProfileProvider,
  InstanceProvider,
  LaunchBatches,
  Launcher,
  LaunchesInFlight,
  LaunchTemplateProvider,
  launchTags,
  ParameterStore,
  SecurityGroupProvider,
  SubnetProvider,
} from '@karpenter/aws';
import { minutes, type NodeClaim, seconds } from '@karpenter/core/api';
import { createCloud } from '@karpenter/sim/cloud';
import { ec2NodeClass, RecordedLogText, soldType } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clusterName = 'prod';
const clock = new VirtualClock();
const cloud = createCloud({ clock, seed: 1, clusterName });
const { ec2, iam, ssm, eks } = cloud.services;
const region = cloud.world.region;
const log = new RecordedLogText();

const subnets = new SubnetProvider({ ec2, clock, refreshInterval: minutes(1) });
const securityGroups = new SecurityGroupProvider({ ec2, clock });
const images = new ImageProvider({
  ec2,
  clock,
  log,
  parameters: new ParameterStore({ ssm, clock, log }),
  k8sVersion: async () => cloud.world.cluster.version,
  refreshInterval: minutes(1),
});
const profiles = new InstanceProfileProvider({ iam, clock, log, region, clusterName, unique: () => 'one' });
const templates = new LaunchTemplateProvider({ ec2, clock, log, clusterName });
const batches = new LaunchBatches({ clock, unique: () => 'batch-1' });
const batched = batchedEc2({ ec2, clock, log, batches });
const instances = new InstanceProvider({
  ec2,
  batched,
  clusterName,
  reservedCapacity: true,
  isShifted: () => false,
});

/** Calls take time on the cloud's clock, so this advances it until they return. */
async function answered<T>(call: Promise<T>): Promise<T> {
  let isDone = false;
  const done = call.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  for (let turn = 0; turn < 1000 && !isDone; turn += 1) await clock.advance(50);
  return done;
}

const discovered = [{ tags: { 'karpenter.sh/discovery': clusterName } }];
const base: EC2NodeClass = ec2NodeClass({
  metadata: { name: 'default', uid: 'uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: discovered,
    securityGroupSelectorTerms: discovered,
    role: `KarpenterNodeRole-${clusterName}`,
  },
});
let nodeClass: EC2NodeClass;
let cidr: string | undefined;

beforeAll(async () => {
  const found = await answered(
    Promise.all([
      subnets.resolve(base),
      securityGroups.resolve(base),
      images.resolve(base),
      profiles.resolve(base),
    ]),
  );
  const [subnet, group, image, instanceProfile] = found;
  nodeClass = {
    ...base,
    status: {
      subnets: subnet.found ?? [],
      securityGroups: group.found ?? [],
      amis: image.found ?? [],
      instanceProfile,
    },
  };
  const outcome = await answered(new ClusterCidr({ eks, clusterName }).resolve());
  cidr = 'cidr' in outcome ? outcome.cidr : undefined;
}, 60_000);

afterAll(() => cloud.stop());

const nodeClaim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'default-1', labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    expireAfter: '720h',
  },
};

describe('a launch on the simulated cloud', () => {
  it('resolves the selectors of the NodeClass', async () => {
    expect(nodeClass.status?.subnets?.length).toBeGreaterThan(0);
    expect(nodeClass.status?.securityGroups?.length).toBeGreaterThan(0);
    expect(nodeClass.status?.amis).toHaveLength(5);
    expect(cidr).toMatch(/\/\d+$/);
    const reservations = new CapacityReservationProvider({
      ec2,
      clock,
      log,
      counts: { read: () => undefined },
    });
    expect(await answered(reservations.resolve([{ id: 'cr-0' }]))).toEqual([]);
  });

  it('launches many NodeClaims with one request, finds, tags and terminates the instances, and cleans up', async () => {
    const zones = (nodeClass.status?.subnets ?? []).map(({ zone }) => zone);
    const types = [soldType('m5.large', { offerings: zones.map((zone) => ({ zone })) })];
    const nothing = { markLaunched: () => undefined, markUnavailable: () => undefined };
    const launcher = new Launcher({
      launches: new LaunchesInFlight(clock),
      ec2: batched,
      clock,
      log,
      templates,
      subnets: subnets.addresses,
      trackers: {
        unavailableOfferings: {
          ...nothing,
          markCapacityTypeUnavailable: () => undefined,
          markSubnetUnavailable: () => undefined,
          markSuspect: () => minutes(3),
        },
        reservations: { ...nothing, markTerminated: () => undefined },
      },
      settings: () => ({
        cluster: { name: clusterName, endpoint: cloud.world.cluster.endpoint, cidr, dnsIp: '10.100.0.10' },
        region,
        reservedCapacity: true,
        minValuesPolicy: 'Strict',
      }),
    });
    const tags = launchTags({ clusterName, nodeClass: 'default', nodePool: 'default' });
    const batch = batches.enter(batches.assign(nodeClaim));
    const request = { nodeClass, nodeClaim, batch, instanceTypes: types, tags };
    const launched = await answered(Promise.all([launcher.launch(request), launcher.launch(request)]));
    const ids = launched.map(({ instance }) => instance.id);
    expect(new Set(ids).size).toBe(2);

    await clock.advance(seconds(30));
    const listed = await answered(instances.list());
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const [first] = listed;
    if (first === undefined) throw new Error('nothing is listed');
    expect(claimFieldsOf(first, types[0]).labels).toMatchObject({
      'karpenter.sh/capacity-type': 'on-demand',
      'karpenter.sh/nodepool': 'default',
      'node.kubernetes.io/instance-type': 'm5.large',
    });

    await answered(instances.createTags(first.id, { Name: 'node-1' }));
    await clock.advance(seconds(10));
    expect((await answered(instances.get(first.id, { skipCache: true })))?.tags['Name']).toBe('node-1');
    expect(await answered(instances.delete(first.id))).toBe('terminating');
    await clock.advance(minutes(5));
    expect(await answered(instances.delete(first.id))).toBe('gone');

    await answered(templates.sweep());
    expect(log.lines).toContain('debug deleted launch template');
  }, 60_000);
});
