import { rounds, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { disturbControllers } from './killed-controllers.ts';

/** Nightly: KARPENTER_ROUNDS=10000. */
const enough = rounds({ quick: 200, full: 1_000 });
const [seed = 1] = seeds({ quick: 1, full: 1 });

/** Messages of errors that no code throws on purpose. */
const programErrors =
  /TypeError|RangeError|ReferenceError|is not (?:a function|defined|iterable)|of (?:undefined|null)\b/;

describe(`controllers whose API server fails ${enough} times (seed ${seed})`, () => {
  it('converge, launch nothing twice, respect budgets and have no error of their own', {
    timeout: 12 * 3_600_000,
  }, async () => {
    const { violations, unrecovered, errors, faults } = await disturbControllers(seed, enough);
    expect({ violations, unrecovered }).toEqual({ violations: [], unrecovered: [] });
    expect(errors.filter((message) => programErrors.test(message))).toEqual([]);
    const kinds = ['409', '410', '429', '500', '503', '504'];
    const codes = [...faults.keys()].map(
      (fault) => ({ conflict: '409', expiredWatch: '410' })[fault] ?? fault,
    );
    expect(codes).toEqual(
      expect.arrayContaining([...kinds, 'unsent', 'lostAnswer', 'staleList', 'cutWatch']),
    );
  });
});
