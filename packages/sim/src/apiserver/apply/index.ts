/**
 * Server-side apply and managed fields, ported from structured-merge-diff. Pure functions from objects and
 * schemas to objects. Start with server-side-apply.ts for PATCH with apply, and track-managed-fields.ts for
 * all other writes.
 */
export { emptySet, type FieldSet, fieldSetOf } from './field-set.ts';
export { type AppliedResult, type AppliedWrite, serverSideApply } from './server-side-apply.ts';
export {
  type FieldWrite,
  settleTimes,
  type TrackedUpdate,
  trackManagedFields,
} from './track-managed-fields.ts';
