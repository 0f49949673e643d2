import { minutes } from '@karpenter/core/api';
import type { LogFields } from '@karpenter/core/ports';
import type { DurationMs } from '@karpenter/core/values';
import { beforeEach, describe, expect, it } from 'vitest';
import { type OfferingName, UnavailableOfferings } from './unavailable-offerings.ts';

const spot: OfferingName = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' };
const failed = (offering: OfferingName) => ({ ...offering, reason: 'InsufficientInstanceCapacity' });

let now: number;
let lines: readonly (readonly [string, LogFields | undefined])[];
let unavailable: UnavailableOfferings;

beforeEach(() => {
  now = 1_000_000;
  lines = [];
  const debug = (message: string, fields?: LogFields) => {
    lines = [...lines, [message, fields]];
  };
  unavailable = new UnavailableOfferings({
    now: () => now,
    log: { debug, info: () => {}, error: () => {} },
  });
});

function pass(time: DurationMs): void {
  now += time;
}

/** How long the offering stays unavailable from now, to the minute. */
function minutesUntilAvailable(offering: OfferingName): number {
  const start = now;
  while (unavailable.isUnavailable(offering)) pass(minutes(1));
  return (now - start) / minutes(1);
}

describe('an offering that EC2 could not deliver', () => {
  it('is unavailable for three minutes, and no other is', () => {
    unavailable.markUnavailable(failed(spot));
    expect(unavailable.isUnavailable(spot)).toBe(true);
    expect(unavailable.isUnavailable({ ...spot, zone: 'us-east-1b' })).toBe(false);
    expect(unavailable.isUnavailable({ ...spot, capacityType: 'on-demand' })).toBe(false);
    expect(unavailable.isUnavailable({ ...spot, instanceType: 'm5.xlarge' })).toBe(false);
    expect(minutesUntilAvailable(spot)).toBe(3);
  });

  it('is unavailable twice as long after each repeated failure, up to half an hour', () => {
    const waits = Array.from({ length: 6 }, () => {
      unavailable.markUnavailable(failed(spot));
      return minutesUntilAvailable(spot);
    });
    expect(waits).toEqual([3, 6, 12, 24, 30, 30]);
  });

  it('is extended, not doubled, when the same shortage is reported again', () => {
    unavailable.markUnavailable(failed(spot));
    pass(minutes(2));
    unavailable.markUnavailable(failed(spot));
    unavailable.markUnavailable(failed(spot));
    expect(minutesUntilAvailable(spot)).toBe(3);
  });

  it('starts from three minutes again after a launch', () => {
    for (let i = 0; i < 3; i++) {
      unavailable.markUnavailable(failed(spot));
      minutesUntilAvailable(spot);
    }
    unavailable.markLaunched(spot);
    unavailable.markUnavailable(failed(spot));
    expect(minutesUntilAvailable(spot)).toBe(3);
  });

  it('starts from three minutes again after a launch during the mark', () => {
    unavailable.markUnavailable(failed(spot));
    unavailable.markLaunched(spot);
    expect(minutesUntilAvailable(spot)).toBe(3);
    unavailable.markUnavailable(failed(spot));
    expect(minutesUntilAvailable(spot)).toBe(3);
  });

  it('starts from three minutes again after an hour without a failure', () => {
    for (let i = 0; i < 3; i++) {
      unavailable.markUnavailable(failed(spot));
      minutesUntilAvailable(spot);
    }
    pass(minutes(59));
    unavailable.markUnavailable(failed(spot));
    expect(minutesUntilAvailable(spot)).toBe(24);
    pass(minutes(60));
    unavailable.markUnavailable(failed(spot));
    expect(minutesUntilAvailable(spot)).toBe(3);
  });

  it('backs off independently of other offerings', () => {
    const other = { ...spot, zone: 'us-east-1b' };
    unavailable.markUnavailable(failed(spot));
    minutesUntilAvailable(spot);
    unavailable.markUnavailable(failed(spot));
    unavailable.markUnavailable(failed(other));
    expect(minutesUntilAvailable(other)).toBe(3);
    expect(unavailable.isUnavailable(spot)).toBe(true);
  });

  it('is logged with reason and lifetime', () => {
    unavailable.markUnavailable({ ...failed(spot), fleetId: 'fleet-1', placementGroup: 'pg-1' });
    expect(lines).toEqual([
      [
        'removing offering from offerings',
        {
          reason: 'InsufficientInstanceCapacity',
          'instance-type': 'm5.large',
          zone: 'us-east-1a',
          'capacity-type': 'spot',
          ttl: '3m0s',
          'fleet-id': 'fleet-1',
          'placement-group-id': 'pg-1',
        },
      ],
    ]);
  });
});

describe('placement groups', () => {
  const inGroup = { ...spot, placementGroup: 'pg-1' };
  const inPartition = { ...inGroup, partition: '2' };

  it('are covered by shortages outside groups', () => {
    unavailable.markUnavailable(failed(spot));
    expect(unavailable.isUnavailable(inPartition)).toBe(true);
  });

  it('do not affect offerings outside the group', () => {
    unavailable.markUnavailable(failed(inGroup));
    expect(unavailable.isUnavailable(spot)).toBe(false);
    expect(unavailable.isUnavailable({ ...spot, placementGroup: 'pg-2' })).toBe(false);
    expect(unavailable.isUnavailable(inPartition)).toBe(true);
  });

  it('track shortages per partition', () => {
    unavailable.markUnavailable(failed(inPartition));
    expect(unavailable.isUnavailable(inPartition)).toBe(true);
    expect(unavailable.isUnavailable({ ...inGroup, partition: '1' })).toBe(false);
    expect(unavailable.isUnavailable(inGroup)).toBe(false);
  });
});

describe('wider shortages', () => {
  it('make a whole capacity type unavailable', () => {
    unavailable.markCapacityTypeUnavailable('spot');
    expect(unavailable.isUnavailable({ ...spot, instanceType: 'c5.large' })).toBe(true);
    expect(unavailable.isUnavailable({ ...spot, capacityType: 'on-demand' })).toBe(false);
    pass(minutes(3));
    expect(unavailable.isUnavailable(spot)).toBe(false);
  });

  it('exhaust a zone when all of its subnets are exhausted', () => {
    unavailable.markSubnetUnavailable('subnet-1');
    expect(unavailable.areExhausted(['subnet-1'])).toBe(true);
    expect(unavailable.areExhausted(['subnet-1', 'subnet-2'])).toBe(false);
    expect(unavailable.areExhausted([])).toBe(false);
    pass(minutes(3));
    expect(unavailable.areExhausted(['subnet-1'])).toBe(false);
  });

  it('do not back off', () => {
    unavailable.markSubnetUnavailable('subnet-1');
    pass(minutes(3));
    unavailable.markSubnetUnavailable('subnet-1');
    pass(minutes(3));
    expect(unavailable.areExhausted(['subnet-1'])).toBe(false);
  });
});

describe('suspect offerings', () => {
  const others = ['c5.large', 'r5.large'].map((instanceType) => ({ ...spot, instanceType }));
  const [c5 = spot, r5 = spot] = others;

  it('are not unavailable, and stay suspect for three minutes each time', () => {
    for (const _ of [1, 2, 3]) {
      expect(unavailable.markSuspect(others)).toBe(minutes(3));
      expect(others.map((offering) => unavailable.isSuspect(offering))).toEqual([true, true]);
      expect(others.map((offering) => unavailable.isUnavailable(offering))).toEqual([false, false]);
      expect(unavailable.isSuspect(spot)).toBe(false);
      pass(minutes(3));
      expect(unavailable.isSuspect(c5)).toBe(false);
    }
  });

  it('start over with each failure', () => {
    unavailable.markSuspect(others);
    pass(minutes(2));
    unavailable.markSuspect(others);
    pass(minutes(2));
    expect(unavailable.isSuspect(c5)).toBe(true);
  });

  it('are cleared for a capacity type by a launch of one of them only', () => {
    const onDemand = { ...c5, capacityType: 'on-demand' as const };
    unavailable.markSuspect([...others, onDemand]);
    unavailable.markLaunched(spot);
    expect(unavailable.isSuspect(r5)).toBe(true);
    unavailable.markLaunched(c5);
    expect(unavailable.isSuspect(r5)).toBe(false);
    expect(unavailable.isSuspect(onDemand)).toBe(true);
  });

  it('within a placement group do not affect others', () => {
    unavailable.markSuspect([{ ...c5, placementGroup: 'pg-1' }]);
    expect(unavailable.isSuspect(c5)).toBe(false);
    expect(unavailable.isSuspect({ ...c5, placementGroup: 'pg-1', partition: '2' })).toBe(true);
  });

  it('change sequence numbers when they start and end, not when extended', () => {
    const sequences = () => [unavailable.sequence('c5.large'), unavailable.sequence('m5.large')];
    const [before = 0, other] = sequences();
    unavailable.markSuspect(others);
    unavailable.markSuspect(others);
    expect(sequences()).toEqual([before + 1, other]);
    unavailable.markLaunched(c5);
    expect(sequences()).toEqual([before + 2, other]);
    unavailable.markSuspect(others);
    pass(minutes(3));
    expect(sequences()).toEqual([before + 4, other]);
  });
});

describe('sequence numbers', () => {
  const sequences = () => [unavailable.sequence('m5.large'), unavailable.sequence('c5.large')];

  it('change for the type when an offering becomes unavailable and available', () => {
    const [m5 = 0, c5 = 0] = sequences();
    unavailable.markUnavailable(failed(spot));
    expect(sequences()).toEqual([m5 + 1, c5]);
    pass(minutes(3));
    expect(sequences()).toEqual([m5 + 2, c5]);
    pass(minutes(100));
    expect(sequences()).toEqual([m5 + 2, c5]);
  });

  it('change for all types with a capacity type or subnet', () => {
    const [m5 = 0, c5 = 0] = sequences();
    unavailable.markCapacityTypeUnavailable('spot');
    expect(sequences()).toEqual([m5 + 1, c5 + 1]);
    unavailable.markSubnetUnavailable('subnet-1');
    pass(minutes(4));
    expect(sequences()).toEqual([m5 + 4, c5 + 4]);
  });

  it('change together with the version', () => {
    const before = unavailable.version;
    unavailable.markUnavailable(failed(spot));
    expect(unavailable.version).toBe(before + 1);
    pass(minutes(3));
    expect(unavailable.version).toBe(before + 2);
  });
});
