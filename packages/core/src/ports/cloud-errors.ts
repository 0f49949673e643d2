import { CodedError } from '../errors/index.ts';

// Provider errors that the controllers act upon; every other error is retried with backoff.

interface Failure {
  readonly cause?: unknown;
}

/**
 * No instance of the requested types is available now: the NodeClaim is deleted and its pods are planned
 * again.
 */
export function insufficientCapacity(message: string, { cause }: Failure = {}): CodedError {
  return new CodedError('insufficient-capacity', message, { cause });
}

/** Nothing can be launched until the NodeClass is fixed. */
export function nodeClassNotReady(message: string, { cause }: Failure = {}): CodedError {
  return new CodedError('node-class-not-ready', message, { cause });
}

export interface LaunchFailure extends Failure {
  /** Reason and message of the condition `Launched`. */
  readonly reason: string;
  readonly conditionMessage: string;
}

export function launchFailed(
  message: string,
  { reason, conditionMessage, cause }: LaunchFailure,
): CodedError {
  return new CodedError('launch-failed', message, { details: { reason, conditionMessage }, cause });
}

/** A call needs an instance that is gone, or never existed. */
export function instanceNotFound(message: string, { cause }: Failure = {}): CodedError {
  return new CodedError('instance-not-found', message, { cause });
}

export function isInsufficientCapacity(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'insufficient-capacity';
}

export function isNodeClassNotReady(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'node-class-not-ready';
}

export function isLaunchFailed(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'launch-failed';
}

export function isInstanceNotFound(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'instance-not-found';
}
