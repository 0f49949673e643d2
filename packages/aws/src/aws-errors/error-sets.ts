import { isAwsError } from '../ports/index.ts';

const notFoundCodes: ReadonlySet<string> = new Set([
  'InvalidCapacityReservationId.NotFound',
  'InvalidInstanceID.NotFound',
  'InvalidLaunchTemplateName.NotFoundException',
  'InvalidLaunchTemplateId.NotFound',
  'QueueDoesNotExist',
  'NoSuchEntity',
  'ParameterNotFound',
]);

/** The requested resource does not exist. */
export function isNotFound(error: unknown): boolean {
  return isAwsError(error) && notFoundCodes.has(error.code);
}

/** Only the code for a name: launches refer to templates by name, so the code for an id has another cause. */
export function isLaunchTemplateNotFound(error: unknown): boolean {
  return hasCode(error, 'InvalidLaunchTemplateName.NotFoundException');
}

/** An IAM resource of that name exists. */
export function isAlreadyExists(error: unknown): boolean {
  return hasCode(error, 'EntityAlreadyExists');
}

/** The client token of the request was used before, for a request with other parameters. */
export function isTokenUsed(error: unknown): boolean {
  return hasCode(error, 'IdempotentParameterMismatch');
}

export function hasCode(error: unknown, code: string): boolean {
  return isAwsError(error) && error.code === code;
}

const throttledCodes: ReadonlySet<string> = new Set([
  'EC2ThrottledException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** The service throttled the request and did not process it. */
export function isThrottled(error: unknown): boolean {
  return isAwsError(error) && throttledCodes.has(error.code);
}

const unfulfillableCodes: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'UnfulfillableCapacity',
  'Unsupported',
  'InsufficientFreeAddressesInSubnet',
  'MaxFleetCountExceeded',
  'ReservationCapacityExceeded',
]);

/**
 * Codes in a CreateFleet response that make an offering unavailable for now: Karpenter's list, `Unsupported` included.
 */
export function isUnfulfillable(code: string): boolean {
  return unfulfillableCodes.has(code);
}

const outOfCapacityCodes: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'UnfulfillableCapacity',
]);

/**
 * Codes that concern neither one type alone nor the network,
 * so that similar offerings are likely to fail too.
 */
export function isOutOfCapacity(code: string): boolean {
  return outOfCapacityCodes.has(code);
}

/** CreateFleet codes with an effect other than marking the offering unavailable. */
export const fleetErrorCodes = {
  noFreeAddresses: 'InsufficientFreeAddressesInSubnet',
  spotRoleNotPermitted: 'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
} as const;

/** Part of the message when a spread placement group is full in a zone; EC2 has no code of its own for it. */
export const spreadLimitText = 'limit of instances in this spread placement group';
