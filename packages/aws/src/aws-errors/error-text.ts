import { isAwsError } from '../ports/index.ts';
import { type FailureReason, failureReason } from './reason-table.ts';

/** Formats an error with its AWS code, which `failureReason` matches on. */
export function errorText(error: unknown): string {
  if (!isAwsError(error)) return error instanceof Error ? error.message : String(error);
  return error.message.includes(error.code) ? error.message : `${error.code}: ${error.message}`;
}

/** Classifies an error by its text, as Karpenter does. */
export function failureReasonOf(error: unknown): FailureReason {
  return failureReason(errorText(error));
}
