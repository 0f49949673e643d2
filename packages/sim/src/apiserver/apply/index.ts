/**
 * Server-side apply and managed fields, ported from structured-merge-diff. Pure functions from objects and
 * schemas to objects. Start with server-side-apply.ts for PATCH with apply, and track-managed-fields.ts for
 * all other writes.
 */
export { type FieldSet, fieldSetOf } from './field-set.ts';
export { serverSideApply } from './server-side-apply.ts';
export {
  settleTimes,
  trackManagedFields,
} from './track-managed-fields.ts';
