import type { CreateFleetError } from '@aws-sdk/client-ec2';
import { type CapacityType, capacityTypes } from '@karpenter/core/api';
import { failureReason, fleetErrorCodes, isUnfulfillable, spreadLimitText } from '../aws-errors/index.ts';
import type { AwsError } from '../ports/index.ts';

/** What to record after an error of a fleet request, so that the next launches avoid it. */
export type LaunchErrorEffect =
  | {
      readonly kind: 'offering-unavailable';
      readonly instanceType: string;
      readonly zone: string;
      readonly capacityType: CapacityType;
      readonly placementGroup?: string | undefined;
      readonly partition?: string | undefined;
      readonly reason: string;
    }
  | { readonly kind: 'capacity-type-unavailable'; readonly capacityType: CapacityType }
  | { readonly kind: 'subnet-exhausted'; readonly subnetId: string }
  | { readonly kind: 'reservation-exhausted'; readonly reservationId: string };

/** The launch that the errors are about. */
export interface AttemptedLaunch {
  readonly capacityType: CapacityType;
  readonly instanceTypes: readonly string[];
  readonly placementGroup?: string | undefined;
  readonly partition?: string | undefined;
  /** The reservation that the launch used for a type in a zone. */
  readonly reservationFor: (instanceType: string, zone: string) => string | undefined;
}

interface FleetErrorFields {
  readonly code: string;
  readonly message: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly subnetId: string;
}

export function readFleetError(error: CreateFleetError): FleetErrorFields {
  const overrides = error.LaunchTemplateAndOverrides?.Overrides;
  return {
    code: error.ErrorCode ?? '',
    message: error.ErrorMessage ?? '',
    instanceType: overrides?.InstanceType ?? '',
    zone: overrides?.AvailabilityZone ?? '',
    subnetId: overrides?.SubnetId ?? '',
  };
}

/**
 * The effects of all errors of a response. A response may hold both instances and errors; the errors count in any case.
 * A lack of addresses has two effects, as in Karpenter: on the subnet, and on the offering or reservation.
 */
export function launchErrorEffects(
  errors: readonly CreateFleetError[],
  launch: AttemptedLaunch,
): readonly LaunchErrorEffect[] {
  return errors
    .map(readFleetError)
    .flatMap((error) => [
      ...(error.code === fleetErrorCodes.noFreeAddresses && error.subnetId !== ''
        ? [{ kind: 'subnet-exhausted', subnetId: error.subnetId } as const]
        : []),
      ...(launch.capacityType === capacityTypes.reserved
        ? reservedEffects(error, launch)
        : unreservedEffects(error, launch)),
    ]);
}

/** A full spread placement group does not mean that the reservation is exhausted, whatever the error code. */
function reservedEffects(error: FleetErrorFields, launch: AttemptedLaunch): readonly LaunchErrorEffect[] {
  if (!isUnfulfillable(error.code) || error.message.includes(spreadLimitText)) return [];
  const reservationId = launch.reservationFor(error.instanceType, error.zone);
  return reservationId === undefined ? [] : [{ kind: 'reservation-exhausted', reservationId }];
}

function unreservedEffects(error: FleetErrorFields, launch: AttemptedLaunch): readonly LaunchErrorEffect[] {
  // Without the role no spot request of the account succeeds, whatever its type and zone.
  if (error.code === fleetErrorCodes.spotRoleNotPermitted) {
    return [{ kind: 'capacity-type-unavailable', capacityType: capacityTypes.spot }];
  }
  const scope = { placementGroup: launch.placementGroup, partition: launch.partition };
  const offering = { kind: 'offering-unavailable', zone: error.zone, reason: error.code } as const;
  // A spread group that is full in a zone takes no instance of any type there.
  if (error.message.includes(spreadLimitText)) {
    return launch.instanceTypes.map((instanceType) => ({
      ...offering,
      instanceType,
      capacityType: launch.capacityType,
      placementGroup: launch.placementGroup,
    }));
  }
  if (!isUnfulfillable(error.code)) return [];
  return [{ ...offering, ...scope, instanceType: error.instanceType, capacityType: launch.capacityType }];
}

/** Whether only capacity is missing, so that another offering may succeed. True without errors, as in Karpenter. */
export function isOnlyCapacity(errors: readonly CreateFleetError[]): boolean {
  return errors
    .map(readFleetError)
    .every(({ code }) => isUnfulfillable(code) || code === fleetErrorCodes.spotRoleNotPermitted);
}

/** A fleet request that launched nothing. EC2 responds with status 200 and a list of errors. */
export class FleetError extends Error implements AwsError {
  override readonly name = 'AwsError';
  readonly code = 'UnfulfillableCapacity';
  readonly service = 'EC2';
  readonly operation = 'CreateFleet';
  readonly statusCode = 200;
  readonly requestId: string;
  readonly fault = 'server';

  constructor(errors: readonly CreateFleetError[], requestId = '') {
    // Each error names one override, so a request with many overrides repeats its texts.
    const texts = errors.map(readFleetError).map(({ code, message }) => `${code}: ${message}`);
    super(`with fleet error(s), ${[...new Set(texts)].join('; ')}`);
    this.requestId = requestId;
  }
}

/** Reason label of the metric on failed launches. */
export function failureLabel(error: CreateFleetError): string {
  // The reason table matches parts of both, as `errorText` joins them for errors of the SDK.
  const { code, message } = readFleetError(error);
  return failureReason(`${code}: ${message}`).reason;
}
