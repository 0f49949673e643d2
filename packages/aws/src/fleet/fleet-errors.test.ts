import type { CreateFleetError } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { type AttemptedLaunch, launchErrorEffects } from './fleet-errors.ts';

const spreadLimit =
  'You have reached the limit of instances in this spread placement group for this Availability Zone.';

function fleetError(ErrorCode: string, ErrorMessage = 'no'): CreateFleetError {
  return {
    ErrorCode,
    ErrorMessage,
    LaunchTemplateAndOverrides: {
      Overrides: { InstanceType: 'm5.large', AvailabilityZone: 'zone-a', SubnetId: 'subnet-a' },
    },
  };
}

const reserved: AttemptedLaunch = {
  capacityType: 'reserved',
  instanceTypes: ['m5.large', 'c5.large'],
  placementGroup: 'pg-1',
  reservationFor: () => 'cr-1',
};

describe('errors of a launch from a reservation', () => {
  const learnt = (error: CreateFleetError) =>
    launchErrorEffects([error], reserved).map((effect) => effect.kind);

  it.each(['InsufficientInstanceCapacity', 'ReservationCapacityExceeded', 'UnfulfillableCapacity'])(
    'with code %s exhaust the reservation',
    (code) => {
      expect(learnt(fleetError(code))).toEqual(['reservation-exhausted']);
    },
  );

  it.each(['InsufficientInstanceCapacity', 'Unsupported', 'UnfulfillableCapacity', 'InvalidParameter'])(
    'about a full spread placement group leave the reservation as it is, whatever the code (%s)',
    (code) => {
      expect(learnt(fleetError(code, spreadLimit))).toEqual([]);
    },
  );

  it('about throttling leave the reservation as it is', () => {
    expect(learnt(fleetError('RequestLimitExceeded'))).toEqual([]);
  });

  it('still mark a subnet without addresses', () => {
    expect(learnt(fleetError('InsufficientFreeAddressesInSubnet'))).toEqual([
      'subnet-exhausted',
      'reservation-exhausted',
    ]);
  });
});
