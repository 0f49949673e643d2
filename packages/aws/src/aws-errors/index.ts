/**
 * Classifies AWS errors: sets of codes, reasons for conditions and fields for logs. Pure.
 * Start with error-sets.ts; reason-table.ts maps errors to condition reasons as Karpenter does.
 */

export { awsErrorFields } from './error-fields.ts';
export {
  fleetErrorCodes,
  hasCode,
  isAlreadyExists,
  isLaunchTemplateNotFound,
  isNotFound,
  isOutOfCapacity,
  isThrottled,
  isTokenUsed,
  isUnfulfillable,
  spreadLimitText,
} from './error-sets.ts';
export { errorText, failureReasonOf } from './error-text.ts';
export { throwFailures } from './failures.ts';
export { failureReason } from './reason-table.ts';
