import { CapacityBlockController, CapacityReservationProvider, ReservationCounts } from '@karpenter/aws';
import { hours, minutes } from '@karpenter/core/api';
import { runSingleton } from '@karpenter/kube/runtime';
import { createCloud } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { expect, it } from 'vitest';
import { claimOf, MemoryCluster } from './memory-cluster.ts';

const inReservation = (name: string, id: string) =>
  claimOf(name, { 'karpenter.k8s.aws/capacity-reservation-id': id });

it('deletes the NodeClaims of a capacity block that is about to end, and only those', async () => {
  const clock = new VirtualClock();
  const { claims, client, log, writes, logged } = new MemoryCluster(clock);
  const asked: string[][] = [];
  let state: 'active' | 'expiring' = 'active';
  const reservations = {
    resolve: async (terms: readonly { readonly id: string }[]) => {
      asked.push(terms.map(({ id }) => id));
      return terms.map(({ id }) => ({ id, state: id === 'cr-1' ? state : ('active' as const) }));
    },
  };
  const going = inReservation('going', 'cr-1');
  claims.set({ ...going, metadata: { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
  for (const claim of [
    inReservation('a', 'cr-1'),
    inReservation('b', 'cr-1'),
    inReservation('c', 'cr-2'),
    claimOf('d'),
  ]) {
    claims.set(claim);
  }
  const running = new AbortController();
  const controller = new CapacityBlockController({ client, claims, reservations, log });
  void runSingleton(controller, { clock, signal: running.signal });
  await clock.advance(minutes(1) - 1);
  expect(asked).toEqual([['cr-1', 'cr-2']]);
  expect(writes).toEqual([]);
  state = 'expiring';
  await clock.advance(1);
  running.abort();
  expect(writes).toEqual(['delete a', 'delete b']);
  expect(logged.map(({ message, fields }) => [message, fields])).toEqual([
    [
      'initiating delete for capacity block expiration',
      { NodeClaim: { name: 'a' }, 'capacity-reservation-id': 'cr-1' },
    ],
    [
      'initiating delete for capacity block expiration',
      { NodeClaim: { name: 'b' }, 'capacity-reservation-id': 'cr-1' },
    ],
  ]);
});

it('starts forty minutes before the end that EC2 reports', async () => {
  const clock = new VirtualClock();
  const { claims, client, log, writes } = new MemoryCluster(clock);
  const cloud = createCloud({ clock, seed: 1, clusterName: 'prod' });
  cloud.addReservation({
    id: 'cr-1',
    ownerId: cloud.world.accountId,
    type: 'm5.large',
    zone: 'us-west-2a',
    zoneId: 'usw2-az1',
    total: 1,
    matchCriteria: 'targeted',
    reservationType: 'capacity-block',
    isInterruptible: false,
    createdAt: clock.now(),
    endsAt: clock.now() + hours(3),
    tags: new Map(),
  });
  const { ec2 } = cloud.services;
  const counts = new ReservationCounts(() => clock.now());
  const reservations = new CapacityReservationProvider({ ec2, clock, log, counts });
  claims.set(inReservation('a', 'cr-1'));
  claims.set(inReservation('b', 'cr-unknown'));
  const running = new AbortController();
  const controller = new CapacityBlockController({ client, claims, reservations, log });
  void runSingleton(controller, { clock, signal: running.signal });
  await clock.advance(hours(3) - minutes(41));
  expect(writes).toEqual([]);
  await clock.advance(minutes(3));
  running.abort();
  expect(new Set(writes)).toEqual(new Set(['delete a']));
});
