import { errorText } from './error-text.ts';

/** Throws what went wrong, if anything did: one failure as it is, several as one that tells of all. */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(errorText).join('; '));
}
