/**
 * The one error class of the product, its codes, and a helper for invalid input. Start with `coded-error.ts`;
 * every code in `error-codes.ts` is documented and covered by a test.
 */

export { CodedError } from './coded-error.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export { invalidValue } from './invalid-value.ts';
