import type { CapacityReservation } from '@aws-sdk/client-ec2';
import { minutes } from '@karpenter/core/api';
import { AwsRefusal, RecordedLogText, recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CapacityReservationSelectorTerm } from '../node-class/index.ts';
import { CapacityReservationProvider } from './reservation-provider.ts';
import { isSelecting, reservationQuery } from './reservation-queries.ts';
import { reservationStatus, untilNextReconcile } from './reservation-status.ts';

const start = Date.UTC(2026, 0, 1);
const reservation = (id: string, more: Partial<CapacityReservation> = {}): CapacityReservation => ({
  CapacityReservationId: id,
  AvailabilityZone: 'zone-a',
  InstanceType: 'm5.large',
  InstanceMatchCriteria: 'targeted',
  OwnerId: '012345678901',
  AvailableInstanceCount: 3,
  ...more,
});

describe('reservation queries', () => {
  const active = { Name: 'state', Values: ['active'] };

  it('use the id without a page size, or all fields of the term', () => {
    expect(reservationQuery({ id: 'cr-1' })).toEqual({ CapacityReservationIds: ['cr-1'], Filters: [active] });
    expect(reservationQuery({ ownerID: '1', instanceMatchCriteria: 'open', tags: { a: '*' } })).toEqual({
      Filters: [
        active,
        { Name: 'owner-id', Values: ['1'] },
        { Name: 'instance-match-criteria', Values: ['open'] },
        { Name: 'tag-key', Values: ['a'] },
      ],
      MaxResults: 1000,
    });
  });

  it('are not made for a term with an empty map of tags and no more than an owner', () => {
    const terms: readonly CapacityReservationSelectorTerm[] = [
      { tags: {} },
      { tags: {}, ownerID: '1' },
      { tags: { a: 'b' } },
      { id: 'cr-1' },
    ];
    expect(terms.map(isSelecting)).toEqual([false, false, true, true]);
  });
});

describe('the status of a reservation', () => {
  it('marks only a capacity block close to its end as expiring', () => {
    const EndDate = new Date(start + minutes(40));
    const block = reservation('cr-1', { ReservationType: 'capacity-block', EndDate });
    expect(reservationStatus(block, start)).toMatchObject({
      state: 'expiring',
      reservationType: 'capacity-block',
      endTime: '2026-01-01T00:40:00Z',
      interruptible: false,
    });
    expect(reservationStatus(block, start - 1)?.state).toBe('active');
    expect(reservationStatus(reservation('cr-1', { EndDate }), start)?.state).toBe('active');
  });

  it('is reconciled every minute, or when a reservation ends', () => {
    const ending = reservationStatus(reservation('cr-1', { EndDate: new Date(start + 5000) }), start);
    expect(untilNextReconcile([], start)).toBe(60_000);
    expect(untilNextReconcile(ending === undefined ? [] : [ending], start)).toBe(5000);
    expect(untilNextReconcile(ending === undefined ? [] : [ending], start + 9000)).toBe(0);
  });
});

describe('the reservation provider', () => {
  let clock: VirtualClock;
  const counts: Map<string, number>[] = [];

  beforeEach(() => {
    clock = new VirtualClock(start);
    counts.length = 0;
  });

  it('lists each once by id, without ended and unknown ones, and reports free capacity', async () => {
    const answers = [
      reservation('cr-2'),
      reservation('cr-1'),
      reservation('cr-2'),
      reservation('cr-ended', { EndDate: new Date(start) }),
      reservation('cr-odd', { InstanceMatchCriteria: undefined }),
    ];
    const describeCapacityReservations = recordedCall(() => ({ CapacityReservations: answers }));
    const log = new RecordedLogText();
    const read = (free: ReadonlyMap<string, number>) => counts.push(new Map(free));
    const provider = new CapacityReservationProvider({
      ec2: { describeCapacityReservations },
      clock,
      log,
      counts: { read },
    });
    const terms = [{ tags: { a: 'b' } }];
    expect((await provider.resolve(terms)).map(({ id }) => id)).toEqual(['cr-1', 'cr-2']);
    expect(counts[0]?.get('cr-1')).toBe(3);
    expect(log.lines).toEqual([
      'debug discovered capacity reservations',
      'error capacity reservation of an unknown kind is left out',
    ]);
    await provider.resolve(terms);
    expect(describeCapacityReservations.inputs).toHaveLength(1);
    await clock.advance(minutes(1));
    await provider.resolve(terms);
    expect(describeCapacityReservations.inputs).toHaveLength(2);
  });

  it('treats an unknown id as an empty match', async () => {
    const describeCapacityReservations = async () => {
      throw new AwsRefusal('InvalidCapacityReservationId.NotFound');
    };
    const provider = new CapacityReservationProvider({
      ec2: { describeCapacityReservations },
      clock,
      log: new RecordedLogText(),
      counts: { read: () => undefined },
    });
    expect(await provider.resolve([{ id: 'cr-1' }])).toEqual([]);
  });
});
