/**
 * The one error class of the product, its codes, and the words for invalid input and for files that cannot be
 * used. Pure. Start with `coded-error.ts`; every code in `error-codes.ts` is documented and covered by a
 * test.
 */

export { CodedError } from './coded-error.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export { fileReason, isFileError } from './file-reason.ts';
export { invalidValue } from './invalid-value.ts';
