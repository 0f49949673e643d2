export { CodedError, type ErrorDetails } from './coded-error.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export { type InvalidValue, invalidValue } from './invalid-value.ts';
