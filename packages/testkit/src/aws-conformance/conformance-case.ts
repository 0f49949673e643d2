import type { Account } from './account.ts';

/** One documented behaviour of AWS. A case passes unless it throws. */
export interface AwsConformanceCase {
  /** The service or the part of it under test: `fleets`, `instance profiles`, … */
  readonly area: string;
  /** The behaviour in one sentence. */
  readonly title: string;
  run(account: Account): Promise<void>;
}

/** Builds the cases of one area from a record of sentence to case. */
export function area(
  name: string,
  cases: Readonly<Record<string, (account: Account) => Promise<void>>>,
): readonly AwsConformanceCase[] {
  return Object.entries(cases).map(([title, run]) => ({ area: name, title, run }));
}
