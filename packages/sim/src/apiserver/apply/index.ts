export { emptySet, type FieldSet, fieldSetOf } from './field-set.ts';
export { type AppliedResult, type AppliedWrite, serverSideApply } from './server-side-apply.ts';
export {
  type FieldWrite,
  settleTimes,
  type TrackedUpdate,
  trackManagedFields,
} from './track-managed-fields.ts';
