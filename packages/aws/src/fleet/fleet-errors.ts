import type { CreateFleetError } from '@aws-sdk/client-ec2';
import { type CapacityType, capacityTypes } from '@karpenter/core/api';
import { failureReason, fleetErrorCodes, isUnfulfillable, spreadLimitText } from '../aws-errors/index.ts';
import type { AwsError } from '../ports/index.ts';

/** What is learnt from an error of a fleet request. */
export type LaunchErrorEffect =
  | {
      readonly learn: 'offering-unavailable';
      readonly instanceType: string;
      readonly zone: string;
      readonly capacityType: CapacityType;
      readonly placementGroup?: string | undefined;
      readonly partition?: string | undefined;
      readonly reason: string;
    }
  | { readonly learn: 'capacity-type-unavailable'; readonly capacityType: CapacityType }
  | { readonly learn: 'subnet-exhausted'; readonly subnetId: string }
  | { readonly learn: 'reservation-exhausted'; readonly reservationId: string };

/** The launch that the errors are about. */
export interface AttemptedLaunch {
  readonly capacityType: CapacityType;
  readonly instanceTypes: readonly string[];
  readonly placementGroup?: string | undefined;
  readonly partition?: string | undefined;
  /** The reservation that was tried for a type in a zone. */
  readonly reservationFor: (instanceType: string, zone: string) => string | undefined;
}

interface ReadError {
  readonly code: string;
  readonly message: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly subnetId: string;
}

export function readFleetError(error: CreateFleetError): ReadError {
  const overrides = error.LaunchTemplateAndOverrides?.Overrides;
  return {
    code: error.ErrorCode ?? '',
    message: error.ErrorMessage ?? '',
    instanceType: overrides?.InstanceType ?? '',
    zone: overrides?.AvailabilityZone ?? '',
    subnetId: overrides?.SubnetId ?? '',
  };
}

/** What to leave alone for a while, for all errors of an answer. */
export function launchErrorEffects(
  errors: readonly CreateFleetError[],
  launch: AttemptedLaunch,
): readonly LaunchErrorEffect[] {
  return errors
    .map(readFleetError)
    .flatMap((error) => [
      ...(error.code === fleetErrorCodes.noFreeAddresses && error.subnetId !== ''
        ? [{ learn: 'subnet-exhausted', subnetId: error.subnetId } as const]
        : []),
      ...(launch.capacityType === capacityTypes.reserved
        ? reservedEffects(error, launch)
        : openEffects(error, launch)),
    ]);
}

/** A full spread placement group says nothing about the reservation, whatever the code of its error. */
function reservedEffects(error: ReadError, launch: AttemptedLaunch): readonly LaunchErrorEffect[] {
  if (!isUnfulfillable(error.code) || error.message.includes(spreadLimitText)) return [];
  const reservationId = launch.reservationFor(error.instanceType, error.zone);
  return reservationId === undefined ? [] : [{ learn: 'reservation-exhausted', reservationId }];
}

function openEffects(error: ReadError, launch: AttemptedLaunch): readonly LaunchErrorEffect[] {
  if (error.code === fleetErrorCodes.spotRoleNotPermitted) {
    return [{ learn: 'capacity-type-unavailable', capacityType: capacityTypes.spot }];
  }
  const scope = { placementGroup: launch.placementGroup, partition: launch.partition };
  const offering = { learn: 'offering-unavailable', zone: error.zone, reason: error.code } as const;
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

/** Whether another offering may well succeed: all errors, or none, speak of capacity. */
export function isOnlyCapacity(errors: readonly CreateFleetError[]): boolean {
  return errors
    .map(readFleetError)
    .every(({ code }) => isUnfulfillable(code) || code === fleetErrorCodes.spotRoleNotPermitted);
}

/** A fleet that started nothing. EC2 answers such a request as if all were well. */
export class FleetError extends Error implements AwsError {
  override readonly name = 'AwsError';
  readonly code = 'UnfulfillableCapacity';
  readonly service = 'EC2';
  readonly operation = 'CreateFleet';
  readonly statusCode = 200;
  readonly requestId: string;
  readonly fault = 'server';

  constructor(errors: readonly CreateFleetError[], requestId = '') {
    const texts = errors.map(readFleetError).map(({ code, message }) => `${code}: ${message}`);
    super(`with fleet error(s), ${[...new Set(texts)].join('; ')}`);
    this.requestId = requestId;
  }
}

/** Reason label of the metric on failed launches. */
export function failureLabel(error: CreateFleetError): string {
  const { code, message } = readFleetError(error);
  return failureReason(`${code}: ${message}`).reason;
}
