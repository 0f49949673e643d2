import { CodedError } from '../errors/index.ts';

/** Failures of a cloud that the product acts upon; every other one is retried. */

interface Failure {
  readonly cause?: unknown;
}

/** None of the wanted machines can be had now: the NodeClaim is given up and others are planned. */
export function insufficientCapacity(message: string, { cause }: Failure = {}): CodedError {
  return new CodedError('insufficient-capacity', message, { cause });
}

/** Nothing can be launched before somebody mends the NodeClass. */
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

/** The machine is gone, or never was. */
export function machineNotFound(message: string, { cause }: Failure = {}): CodedError {
  return new CodedError('machine-not-found', message, { cause });
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

export function isMachineNotFound(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'machine-not-found';
}
