import type { Account } from './account.ts';

/** One documented behaviour of AWS. It passes when it does not throw. */
export interface AwsConformanceCase {
  /** Which service or part of it: `fleets`, `instance profiles`, … */
  readonly area: string;
  /** The behaviour in a sentence. */
  readonly title: string;
  run(account: Account): Promise<void>;
}

/** The cases of one area, each under its sentence. */
export function area(
  name: string,
  cases: Readonly<Record<string, (account: Account) => Promise<void>>>,
): readonly AwsConformanceCase[] {
  return Object.entries(cases).map(([title, run]) => ({ area: name, title, run }));
}
