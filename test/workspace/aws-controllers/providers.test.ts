import { ec2NodeClasses, nodeClaims } from '@karpenter/aws';
import { hours, minutes, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld, claimOf } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld({ env: { DISABLE_DRY_RUN: 'true', ENABLE_ZONAL_SHIFT: 'true' } });
});
afterEach(() => world.stop());

describe('AWS data is refreshed', () => {
  it('every twelve hours for prices and instance types, every five minutes for the version', async () => {
    await world.start('providers.pricing', 'providers.instancetype', 'providers.version');
    const asked = () => [
      world.calls('pricing:GetProducts') > 0,
      world.outcomes.filter(({ controller }) => controller === 'providers.pricing').length,
      world.outcomes.filter(({ controller }) => controller === 'providers.instancetype').length,
      world.outcomes.filter(({ controller }) => controller === 'providers.version').length,
    ];
    await world.advance(minutes(1));
    expect(asked()).toEqual([true, 1, 1, 1]);
    await world.advance(hours(12));
    expect(asked()).toEqual([true, 2, 2, 145]);
    expect(world.outcomes.every(({ result }) => result === 'requeue_after')).toBe(true);
  });

  it('with the version of the cluster, and fails once for an unsupported version', async () => {
    await world.start('providers.version');
    world.cloud.upgradeCluster('1.99');
    await world.advance(minutes(20));
    expect(world.errorsOf('providers.version')).toMatchObject([{ code: 'unsupported-version' }]);
    expect(await world.provider.version.get()).toBe('1.99');
  });
});

describe('parameters', () => {
  it('that name a deprecated image are refreshed within half an hour', async () => {
    await world.advance(hours(12));
    world.addClass();
    await world.start('nodeclass', 'providers.ssm.invalidation');
    const before = world.nodeClass().status?.amis?.map(({ id }) => id) ?? [];
    await world.advance(hours(20));
    world.cloud.releaseImages();
    await world.advance(hours(2));
    expect(world.nodeClass().status?.amis?.map(({ id }) => id)).toEqual(before);
    for (const id of before) {
      const image = world.cloud.world.images.get(id);
      if (image !== undefined)
        world.cloud.world.images.set(id, { ...image, deprecatedAt: world.clock.now() });
    }
    await world.advance(minutes(36));
    const after = world.nodeClass().status?.amis?.map(({ id }) => id) ?? [];
    expect(after).toHaveLength(before.length);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });
});

describe('memory', () => {
  const memoryOf = (type: string) => world.provider.discoveredMemory.get(type, imagesHash());
  const imagesHash = () =>
    [...(world.nodeClass().status?.amis ?? [])]
      .map(({ id }) => id)
      .sort()
      .join();

  /** A node of an m5.large that has joined or is about to. */
  function addNode(
    name: string,
    memory: string,
    { isRegistered = true, imageID = standardImage() } = {},
  ): void {
    const providerID = `aws:///us-west-2a/i-${name}`;
    world.api.put(nodeClaims, claimOf(name, { status: { providerID, imageID } }));
    world.api.put(kinds.node, {
      metadata: {
        name: `node-${name}`,
        labels: {
          'kubernetes.io/arch': 'amd64',
          'node.kubernetes.io/instance-type': 'm5.large',
          ...(isRegistered && { 'karpenter.sh/registered': 'true' }),
        },
      },
      spec: { providerID },
      status: { capacity: { memory } },
    });
  }

  const standardImage = () =>
    world.nodeClass().status?.amis?.find(({ name = '' }) => name.includes('x86_64-standard'))?.id ?? '';

  beforeEach(async () => {
    world.addClass();
    await world.start('nodeclass', 'providers.instancetype.capacity');
  });

  it('is learned from registered nodes, with the minimum winning', async () => {
    addNode('a', '7910Mi', { isRegistered: false });
    await world.advance(seconds(1));
    expect(memoryOf('m5.large')).toBeUndefined();
    world.api.edit(kinds.node, 'node-a', { metadata: { labels: { 'karpenter.sh/registered': 'true' } } });
    await world.advance(seconds(1));
    expect(memoryOf('m5.large')).toBe('7910Mi');
    addNode('b', '7900Mi');
    addNode('c', '7950Mi');
    await world.advance(seconds(1));
    expect(memoryOf('m5.large')).toBe('7900Mi');
  });

  it('is not learned from nodes with an outdated image', async () => {
    addNode('a', '7910Mi', { imageID: 'ami-old' });
    const arm = world.nodeClass().status?.amis?.find(({ name = '' }) => name.includes('arm64'))?.id ?? '';
    addNode('b', '7910Mi', { imageID: arm });
    await world.advance(seconds(1));
    expect(memoryOf('m5.large')).toBeUndefined();
  });

  it('is read once per node, not on every change of the node', async () => {
    addNode('a', '7910Mi');
    await world.advance(seconds(1));
    const runs = () =>
      world.outcomes.filter(({ controller }) => controller === 'providers.instancetype.capacity').length;
    expect(runs()).toBe(1);
    world.api.edit(kinds.node, 'node-a', { metadata: { labels: { beat: '1' } } });
    await world.advance(seconds(1));
    expect(runs()).toBe(1);
  });
});

describe('a zonal shift', () => {
  const onlyZone = (...values: string[]) => ({
    requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values }],
  });

  beforeEach(async () => {
    world.addClass();
    await world.start('nodeclass');
  });

  it('publishes events on NodePools that lose a zone, at its start and end', async () => {
    const [first, second] = world.cloud.world.zones;
    const { name = '', id = '' } = first ?? {};
    world.addPool({}, 'anywhere');
    world.addPool(onlyZone(second?.name ?? ''), 'elsewhere');
    await world.start('zonalshift');
    world.cloud.shiftZone(id, hours(1));
    await world.advance(seconds(30));
    expect(world.events).toEqual([
      `NodePool/anywhere ZonalShiftActive: Zonal shift detected: offerings in zone ${name} (${id}) are unavailable for this NodePool`,
    ]);
    expect(world.provider.zonalShifts.has(id)).toBe(true);
    await world.advance(minutes(30));
    expect(world.events).toHaveLength(1);
    world.cloud.endShift(id);
    await world.advance(seconds(30));
    expect(world.events.slice(1)).toEqual([
      `NodePool/anywhere ZonalShiftCleared: Zonal shift cleared: offerings in zone ${name} (${id}) are restored for this NodePool`,
    ]);
  });

  it('fails the reconcile if a NodeClass is missing, and publishes its events later', async () => {
    const [zone] = world.cloud.world.zones;
    world.addPool({}, 'anywhere');
    world.addPool(
      { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'late' } },
      'late',
    );
    await world.start('zonalshift');
    world.cloud.shiftZone(zone?.id ?? '', hours(5));
    await world.advance(minutes(5));
    expect(world.events).toEqual([]);
    expect(world.errorsOf('zonalshift')[0]).toMatchObject({ code: 'unresolved-node-class' });
    world.addClass({}, 'late');
    await world.advance(minutes(10));
    expect(world.events.filter((event) => event.includes('ZonalShiftActive'))).toHaveLength(2);
  });

  it('that cannot be listed leaves the known shifts unchanged', async () => {
    const [zone] = world.cloud.world.zones;
    world.addPool();
    await world.start('zonalshift');
    world.cloud.shiftZone(zone?.id ?? '', hours(1));
    await world.advance(seconds(30));
    world.cloud.faults.set({ deny: ['arc-zonal-shift:*'] });
    await world.advance(minutes(10));
    expect(world.provider.zonalShifts.has(zone?.id ?? '')).toBe(true);
    expect(world.events).toHaveLength(1);
  });
});

describe('offerings', () => {
  it('are reported every minute', async () => {
    await world.learnTypes();
    world.addClass();
    world.addPool();
    await world.start('nodeclass', 'cloudprovider.metrics');
    await world.advance(minutes(1));
    const series = [...world.meters.gauges.keys()].filter((name) =>
      name.startsWith('karpenter_cloudprovider_instance_type_offering_available'),
    );
    const [types, zones, capacityTypes] = [8, 3, 3];
    expect(series).toHaveLength(types * zones * capacityTypes);
    expect(world.api.of(ec2NodeClasses).stored.size).toBe(1);
  });
});
