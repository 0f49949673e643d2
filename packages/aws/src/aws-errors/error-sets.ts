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

/** What was asked about does not exist. */
export function isNotFound(error: unknown): boolean {
  return isAwsError(error) && notFoundCodes.has(error.code);
}

/** Only the code that speaks of the name: one that speaks of an id has another cause. */
export function isLaunchTemplateNotFound(error: unknown): boolean {
  return hasCode(error, 'InvalidLaunchTemplateName.NotFoundException');
}

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

/** The service was called too often, and did nothing. */
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

/** Codes in the answer to a fleet request that mean: not this offering, not now. */
export function isUnfulfillable(code: string): boolean {
  return unfulfillableCodes.has(code);
}

const outOfCapacityCodes: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'UnfulfillableCapacity',
]);

/** Those of them that speak neither of one type alone nor of the network: others are likely to fail as well. */
export function isOutOfCapacity(code: string): boolean {
  return outOfCapacityCodes.has(code);
}

export const fleetErrorCodes = {
  noFreeAddresses: 'InsufficientFreeAddressesInSubnet',
  spotRoleNotPermitted: 'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
} as const;

/** In the message of an error about a spread placement group that is full in a zone. */
export const spreadLimitText = 'limit of instances in this spread placement group';
