import { VirtualClock } from '@karpenter/testkit/clock';
import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SavedAccount } from '../account-file/index.ts';
import { AccountWriter, readAccount } from '../account-file/index.ts';
import { InstanceBoots } from '../boots/instance-boots.ts';
import { createCloud, type SimulatedCloud } from '../cloud.ts';
import { type Faults, noFaults } from '../faults/faults.ts';

// A restored account must behave like one that was never stopped: in its reply to every call and in
// everything that happens later.

const always = { times: Number.POSITIVE_INFINITY };

const faults: Partial<Faults> = {
  consistency: { describe: 700, profile: 1_500 },
  throttling: { 'ec2:tags': { burst: 3, perSecond: 0.001 } },
  lostReplies: [{ call: 'ec2:CreateFleet', chance: 0.2, ...always }],
  errors: [{ call: 'ec2:*', code: 'InternalError', message: 'no', status: 500, chance: 0.1, ...always }],
  capacity: [{ types: 'm5.*', zones: '*', capacityTypes: '*', depth: 6 }],
  spot: { ...noFaults.spot, interruptionsPerHour: 0.5 },
  boots: { ...noFaults.boots, jitter: 9_000, failing: 0.2, slow: 0.2 },
};

/** An account with booting instances, and a record of everything observable. */
class Rig {
  readonly clock: VirtualClock;
  readonly cloud: SimulatedCloud;
  readonly boots: InstanceBoots;
  readonly seen: string[] = [];

  constructor(now: number, saved?: SavedAccount) {
    this.clock = new VirtualClock(now);
    const world = { subnetPrefix: 25 };
    const name = { seed: 7, clusterName: 'prod' };
    this.cloud = createCloud({ clock: this.clock, ...name, faults, world, saved: saved?.cloud });
    this.boots = new InstanceBoots({
      cloud: this.cloud,
      seed: this.cloud.seed,
      saved: saved?.boots,
      keepsAddressesReady: true,
      startNode: (node) => this.#see('start', node),
      terminateNode: (node) => this.#see('terminate', node),
    });
    this.boots.start();
    this.cloud.onInstance(({ id }, state) => this.#see(state, id));
    if (saved !== undefined) this.cloud.resume();
  }

  #see(what: string, value: unknown): void {
    this.seen.push(JSON.stringify([this.clock.now(), what, value]));
  }

  /** Calls sleep between retries, so the clock must advance meanwhile. */
  async record(what: string, act: () => unknown): Promise<void> {
    const done = (async () => act())().then(
      (value) => this.#see(what, value),
      (error: unknown) => this.#see(what, { ...Object(error), message: String(error) }),
    );
    await this.clock.advance(2_000);
    await done;
  }

  saved(): SavedAccount {
    return { cloud: this.cloud.save(), boots: this.boots.save() };
  }

  stop(): void {
    this.cloud.stop();
  }
}

/** A random step: the action, the index of its target and a number for it. */
interface Step {
  readonly act: keyof typeof acts;
  readonly pick: number;
  readonly amount: number;
}

const types = ['m5.large', 'm5.xlarge', 'c5.large', 'r5.large'] as const;

const one = <T>(items: Iterable<T>, pick: number): T | undefined => {
  const all = [...items];
  return all[pick % Math.max(1, all.length)];
};

const anInstance = ({ world }: SimulatedCloud, pick: number) => one(world.instances.keys(), pick) ?? 'i-0';
const aSubnet = ({ world }: SimulatedCloud, pick: number) => one(world.subnets.keys(), pick);
const aTemplate = ({ world }: SimulatedCloud, pick: number) =>
  one(world.launchTemplates.values(), pick)?.name ?? 'none';

function userData({ world }: SimulatedCloud): string {
  const { endpoint, certificateAuthority, name } = world.cluster;
  const cluster = JSON.stringify({
    apiServerEndpoint: endpoint,
    certificateAuthority,
    cidr: '1.0.0.0/8',
    name,
  });
  const text = `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {cluster: ${cluster}}\n`;
  return Buffer.from(text).toString('base64');
}

async function newTemplate(cloud: SimulatedCloud, pick: number) {
  const image = [...cloud.world.images.values()].find(({ system }) => system === 'al2023')?.id ?? '';
  const [profile] = cloud.world.instanceProfiles.keys();
  return cloud.services.ec2.createLaunchTemplate({
    LaunchTemplateName: `template-${pick}`,
    LaunchTemplateData: {
      ImageId: image,
      UserData: userData(cloud),
      NetworkInterfaces: [{ DeviceIndex: 0 }],
      InstanceMarketOptions: { SpotOptions: { ValidUntil: new Date(pick) } },
      ...(profile !== undefined && { IamInstanceProfile: { Name: profile } }),
    },
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: 'pick', Value: String(pick) }] }],
  });
}

async function receive({ services, world }: SimulatedCloud, amount: number) {
  const QueueUrl = one(world.queues.values(), 0)?.url ?? '';
  const { Messages = [] } = await services.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 5 });
  const deleted = Messages.slice(0, amount % 4);
  for (const { ReceiptHandle = '' } of deleted) await services.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
  return Messages;
}

const acts = {
  template: newTemplate,
  dropTemplate: (cloud: SimulatedCloud, pick: number) =>
    cloud.services.ec2.deleteLaunchTemplate({ LaunchTemplateName: aTemplate(cloud, pick) }),
  fleet: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud.services.ec2.createFleet({
      Type: 'instant',
      // Now and then a client token repeats, with the same request or another one.
      ...(pick % 3 === 0 && { ClientToken: `token-${amount % 4}` }),
      TargetCapacitySpecification: {
        TotalTargetCapacity: 1 + (amount % 4),
        DefaultTargetCapacityType: pick % 2 === 0 ? 'spot' : 'on-demand',
      },
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName: aTemplate(cloud, pick), Version: '$Latest' },
          Overrides: types.map((InstanceType) => ({ InstanceType, SubnetId: aSubnet(cloud, amount) })),
        },
      ],
    }),
  run: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud.services.ec2.runInstances({
      LaunchTemplate: { LaunchTemplateName: aTemplate(cloud, pick) },
      InstanceType: one(types, pick) ?? 'm5.large',
      SubnetId: aSubnet(cloud, pick),
      MinCount: 1,
      MaxCount: 2,
      ...(pick % 2 === 0 && { ClientToken: `run-${amount % 3}` }),
    }),
  terminateInstances: (cloud: SimulatedCloud, pick: number) =>
    cloud.services.ec2.terminateInstances({ InstanceIds: [anInstance(cloud, pick)] }),
  tag: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud.services.ec2.createTags({
      Resources: [(pick % 2 === 0 ? anInstance(cloud, pick) : aSubnet(cloud, pick)) ?? ''],
      Tags: [{ Key: `key-${amount % 5}`, Value: String(amount) }],
    }),
  profile: ({ services }: SimulatedCloud, pick: number) =>
    services.iam.createInstanceProfile({ InstanceProfileName: `profile-${pick % 4}` }),
  addRole: ({ services }: SimulatedCloud, pick: number) =>
    services.iam.addRoleToInstanceProfile({
      InstanceProfileName: `profile-${pick % 4}`,
      RoleName: 'KarpenterNodeRole-prod',
    }),
  dropProfile: ({ services }: SimulatedCloud, pick: number) =>
    services.iam.deleteInstanceProfile({ InstanceProfileName: `profile-${pick % 4}` }),
  receive: (cloud: SimulatedCloud, _: number, amount: number) => receive(cloud, amount),
  interrupt: (cloud: SimulatedCloud, pick: number) => cloud.interrupt(anInstance(cloud, pick)),
  rebalance: (cloud: SimulatedCloud, pick: number) => cloud.rebalance(anInstance(cloud, pick)),
  maintenance: (cloud: SimulatedCloud, pick: number) => cloud.maintenance(anInstance(cloud, pick)),
  impair: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud.impair(anInstance(cloud, pick), amount % 2 === 0 ? 'instance' : 'system', amount % 3 !== 0),
  reserve: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud
      .addReservation({
        id: `cr-${pick % 3}`,
        ownerId: cloud.world.accountId,
        type: one(types, pick) ?? '',
        zone: 'us-west-2a',
        zoneId: 'usw2-az2',
        total: 1 + (amount % 3),
        matchCriteria: 'open',
        reservationType: pick % 2 === 0 ? 'default' : 'capacity-block',
        isInterruptible: pick % 3 === 0,
        ...(amount % 2 === 0 && { endsAt: cloud.clock.now() + amount * 1_000 }),
        createdAt: cloud.clock.now(),
        tags: new Map([['pick', String(pick)]]),
      })
      .save(),
  cancel: (cloud: SimulatedCloud, pick: number) => cloud.cancelReservation(`cr-${pick % 3}`),
  drain: (cloud: SimulatedCloud, pick: number) =>
    cloud.drainPool({ type: one(types, pick) ?? '', zone: 'us-west-2a', capacityType: 'spot' }),
  refill: (cloud: SimulatedCloud, pick: number, amount: number) =>
    cloud.refillPool(
      { type: one(types, pick) ?? '', zone: 'us-west-2a', capacityType: 'spot' },
      amount % 2 === 0 ? undefined : amount,
    ),
  shift: (cloud: SimulatedCloud, _: number, amount: number) => cloud.shiftZone('usw2-az2', amount * 1_000),
  endShift: (cloud: SimulatedCloud) => cloud.endShift('usw2-az2'),
  releaseImages: (cloud: SimulatedCloud) => cloud.releaseImages(),
  upgrade: (cloud: SimulatedCloud) => cloud.upgradeCluster('1.37'),
  send: (cloud: SimulatedCloud, pick: number) => cloud.sendMessage(`message ${pick}`),
};

const actNames = Object.keys(acts) as (keyof typeof acts)[];
const often: (keyof typeof acts)[] = [
  ...(['template', 'profile', 'addRole', 'fleet', 'fleet', 'fleet', 'run', 'run', 'receive'] as const),
  ...(['interrupt', 'interrupt', 'drain', 'reserve', 'reserve', 'tag', 'tag'] as const),
];
/** Most actions need instances, so some exist from the start. */
const prelude: readonly Step[] = [
  { act: 'profile', pick: 0, amount: 1 },
  { act: 'addRole', pick: 0, amount: 1 },
  { act: 'template', pick: 1, amount: 1 },
  { act: 'template', pick: 2, amount: 1 },
  { act: 'fleet', pick: 2, amount: 3 },
  { act: 'reserve', pick: 0, amount: 2 },
  { act: 'run', pick: 4, amount: 1 },
  { act: 'fleet', pick: 4, amount: 2 },
];
const steps = (most: number) =>
  fc.array(
    fc.record({
      act: fc.constantFrom(...actNames, ...often),
      pick: fc.nat(1_000),
      amount: fc.nat(1_000),
    }),
    { minLength: 5, maxLength: most },
  );

async function started(before: readonly Step[]): Promise<Rig> {
  const rig = new Rig(Date.UTC(2026, 0, 1));
  for (const step of [...prelude, ...before]) await take(rig, step);
  return rig;
}

async function take(rig: Rig, { act, pick, amount }: Step): Promise<void> {
  await rig.record(act, () => acts[act](rig.cloud, pick, amount));
  // Mostly one second, now and then long enough for depths and prices to change.
  await rig.clock.advance(amount % 5 === 0 ? amount * 3_000 : 1_000);
}

async function describeAll(rig: Rig): Promise<void> {
  const { ec2, iam, ssm, eks, zonalShift } = rig.cloud.services;
  const parameters = [...rig.cloud.world.parameters.keys()].filter((name) => name.includes('/recommended/'));
  const { arn } = rig.cloud.world.cluster;
  const calls: [string, () => Promise<unknown>][] = [
    ['instances', () => ec2.describeInstances({})],
    ['status', () => ec2.describeInstanceStatus({ IncludeAllInstances: true })],
    ['templates', () => ec2.describeLaunchTemplates({})],
    ['subnets', () => ec2.describeSubnets({})],
    ['groups', () => ec2.describeSecurityGroups({})],
    ['images', () => ec2.describeImages({})],
    ['placement groups', () => ec2.describePlacementGroups({})],
    ['reservations', () => ec2.describeCapacityReservations({})],
    ['spot prices', () => ec2.describeSpotPriceHistory({ InstanceTypes: ['m5.large'] })],
    ['profiles', () => iam.listInstanceProfiles({})],
    ['cluster', () => eks.describeCluster({ name: 'prod' })],
    ['shifts', () => zonalShift.getManagedResource({ resourceIdentifier: arn })],
    ...parameters.map((Name): [string, () => Promise<unknown>] => [Name, () => ssm.getParameter({ Name })]),
  ];
  for (const [name, call] of calls) await rig.record(name, call);
  await rig.record('vcpus', () => rig.cloud.vcpusInUse);
  await rig.record('failures', () => [...rig.boots.failures]);
}

/** The account after the process was down for that long. */
function restored(rig: Rig, downMs = 0): Rig {
  const saved = readAccount(new AccountWriter().textOf(rig.saved()));
  if (saved === undefined) throw new Error('what was written cannot be read');
  return new Rig(rig.clock.now() + downMs, saved);
}

describe('a restored account', () => {
  it('contains everything that was saved and saves to the same data', async () => {
    await fc.assert(
      fc.asyncProperty(steps(30), async (before) => {
        const rig = await started(before);
        const saved = rig.saved();
        expect(restored(rig).saved()).toEqual(saved);
        rig.stop();
      }),
      { numRuns: rounds({ quick: 8, full: 20 }) },
    );
  });

  it('replies and continues like one that was never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(steps(30), steps(25), async (before, after) => {
        const rig = await started(before);
        const copy = restored(rig);
        rig.seen.length = 0;
        copy.seen.length = 0;
        for (const each of [rig, copy]) {
          await describeAll(each);
          for (const step of after) await take(each, step);
          await describeAll(each);
          each.stop();
        }
        expect(copy.seen).toEqual(rig.seen);
      }),
      { numRuns: rounds({ quick: 20, full: 60 }) },
    );
  });

  it('equals, after downtime, one that ran all the time', async () => {
    const downtimes = fc.constantFrom(1_000, 6_000, 25_000, 130_000, 700_000, 2 * 3_600_000);
    await fc.assert(
      fc.asyncProperty(steps(20), downtimes, async (before, downMs) => {
        const rig = await started(before);
        const copy = restored(rig, downMs);
        await rig.clock.advance(downMs);
        expect(copy.saved()).toEqual(rig.saved());
        for (const each of [rig, copy]) each.stop();
      }),
      { numRuns: rounds({ quick: 8, full: 20 }) },
    );
  });
});
