import { errorText } from './error-text.ts';

/**
 * Throws the failures: a single one as it is, several as an AggregateError. Does nothing if there are none.
 */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(errorText).join('; '));
}
