import { nodeClaims } from '@karpenter/aws';
import { hours, minutes, type NodeClaim, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld, claimOf } from './controller-world.ts';

const capacityType = 'karpenter.sh/capacity-type';
const reservationId = 'karpenter.k8s.aws/capacity-reservation-id';
const reservationType = 'karpenter.k8s.aws/capacity-reservation-type';
const interruptible = 'karpenter.k8s.aws/capacity-reservation-interruptible';

let world: ControllerWorld;
beforeEach(async () => {
  world = new ControllerWorld();
  await world.learnTypes();
  const [zone] = world.cloud.world.zones;
  world.cloud.addReservation({
    id: 'cr-1',
    ownerId: '123456789012',
    type: 'm5.large',
    zone: zone?.name ?? '',
    zoneId: zone?.id ?? '',
    total: 2,
    matchCriteria: 'targeted',
    reservationType: 'default',
    isInterruptible: false,
    createdAt: world.clock.now(),
    tags: new Map(),
  });
  world.addClass({ capacityReservationSelectorTerms: [{ id: 'cr-1' }] });
  world.addPool();
  await world.start('nodeclass');
});
afterEach(() => world.stop());

/** A NodeClaim and its Node on an instance of the reservation. */
async function join(name: string): Promise<NodeClaim> {
  const requirements = [{ key: capacityType, operator: 'In' as const, values: ['reserved'] }];
  const wanted = claimOf(name, { spec: { ...claimOf(name).spec, requirements } });
  const instance = await world.answered(world.provider.cloud.create(wanted));
  await world.advance(seconds(5));
  const { providerId: providerID, labels } = instance;
  const registered = {
    type: 'Registered',
    status: 'True',
    reason: 'Registered',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  world.api.put(kinds.node, {
    metadata: { name: `node-${name}`, labels: { ...labels, 'karpenter.sh/registered': 'true' } },
    spec: { providerID },
  });
  return world.api.put(nodeClaims, {
    ...wanted,
    metadata: { name, labels: { ...labels } },
    status: { providerID, nodeName: `node-${name}`, conditions: [registered] },
  });
}

const labelsOf = (name: string) => [
  world.api.of(nodeClaims).stored.get(name)?.metadata.labels ?? {},
  world.api.of(kinds.node).stored.get(`node-${name}`)?.metadata?.labels ?? {},
];
const isReserved = (labels: Readonly<Record<string, string>>) => labels[capacityType] === 'reserved';

describe('an instance that has left its reservation', () => {
  it('relabels its NodeClaim and its Node as on-demand', async () => {
    await join('a');
    expect(labelsOf('a').map((labels) => labels[reservationId])).toEqual(['cr-1', 'cr-1']);
    await world.start('capacityreservation.capacitytype');
    await world.advance(minutes(5));
    expect(labelsOf('a').every(isReserved)).toBe(true);

    world.cloud.cancelReservation('cr-1');
    await world.advance(minutes(1));
    for (const labels of labelsOf('a')) {
      expect(labels).toMatchObject({ [capacityType]: 'on-demand', [interruptible]: 'false' });
      expect(Object.keys(labels)).not.toEqual(expect.arrayContaining([reservationId]));
      expect(Object.keys(labels)).not.toEqual(expect.arrayContaining([reservationType]));
    }
    const writes = [...world.api.writes];
    await world.advance(minutes(10));
    expect(world.api.writes).toEqual(writes);
  });

  it('relabels its Node even if its NodeClaim was relabelled earlier', async () => {
    await join('a');
    world.cloud.cancelReservation('cr-1');
    world.api.edit(nodeClaims, 'a', { metadata: { labels: { [capacityType]: 'on-demand' } } });
    await world.start('capacityreservation.capacitytype');
    await world.advance(seconds(1));
    expect(labelsOf('a').some(isReserved)).toBe(false);
  });

  it('is unchanged while its NodeClaim is being deleted', async () => {
    await join('a');
    world.cloud.cancelReservation('cr-1');
    world.api.edit(nodeClaims, 'a', { metadata: { finalizers: ['x/y'] } });
    world.api.remove(nodeClaims, 'a');
    await world.start('capacityreservation.capacitytype');
    await world.advance(minutes(2));
    expect(labelsOf('a').every(isReserved)).toBe(true);
  });

  it('is retried without an error after a conflict', async () => {
    await join('a');
    world.cloud.cancelReservation('cr-1');
    const cache = world.api.of(nodeClaims);
    cache.hold();
    world.api.edit(nodeClaims, 'a', { metadata: { labels: { team: 'a' } } });
    await world.start('capacityreservation.capacitytype');
    await world.advance(seconds(5));
    expect(labelsOf('a').every(isReserved)).toBe(true);
    cache.release();
    await world.advance(seconds(1));
    expect(labelsOf('a').some(isReserved)).toBe(false);
    expect(world.errorsOf('capacityreservation.capacitytype')).toEqual([]);
  });
});

it('describes no instances if none is reserved', async () => {
  await world.start('capacityreservation.capacitytype');
  await world.advance(hours(1));
  expect(world.calls('ec2:DescribeInstances')).toBe(0);
});
