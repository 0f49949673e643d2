import { describe, expect, it } from 'vitest';
import type { Steps } from '../yielding/index.ts';
import { runAtOnce } from '../yielding/index.ts';
import { maxReportedErrors, reportErrors } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import type { PatternMatcher } from './rule-checker.ts';
import { validate, validateInSteps } from './validate.ts';

/** Matches nothing, and counts how often it is asked in each step. */
function countingPatterns() {
  let asked = 0;
  const patterns: PatternMatcher = {
    matchesPattern: () => {
      asked += 1;
      return false;
    },
  };
  const take = () => {
    const before = asked;
    asked = 0;
    return before;
  };
  return { patterns, take };
}

function busiestStep(steps: Steps<unknown>, take: () => number): number {
  let most = 0;
  for (let isDone = false; !isDone; most = Math.max(most, take())) isDone = steps.next().done === true;
  return most;
}

const branches: readonly JsonSchema[] = Array.from({ length: 50 }, (_, index) => ({ pattern: `^${index}` }));
const valid: JsonSchema = {
  type: 'array',
  items: { type: 'string', anyOf: [...branches, { minLength: 1 }] },
};
const texts = (count: number): Json => Array.from({ length: count }, () => 'a');

describe('validation in steps', () => {
  it('ends a step after a hundred checks, however many alternatives each item has', () => {
    const { patterns, take } = countingPatterns();
    expect(busiestStep(validateInSteps(valid, texts(1_000), { patterns }), take)).toBeLessThanOrEqual(101);
  });

  it('ends a step after each match of a long text', () => {
    const { patterns, take } = countingPatterns();
    const schema: JsonSchema = { type: 'string', anyOf: branches };
    expect(busiestStep(validateInSteps(schema, 'a'.repeat(100_000), { patterns }), take)).toBe(1);
  });

  it('stops when it has found more errors than are reported', () => {
    const { patterns, take } = countingPatterns();
    const schema: JsonSchema = { type: 'array', items: { type: 'string', pattern: '^b' } };
    expect(runAtOnce(validateInSteps(schema, texts(300_000), { patterns }))).toHaveLength(
      maxReportedErrors + 1,
    );
    expect(take()).toBe(maxReportedErrors + 1);
  });

  it('stops when the errors quote more than a few copies of a large object', () => {
    const { patterns } = countingPatterns();
    const allOf = Array.from({ length: 500 }, (_, index): JsonSchema => ({ pattern: `^${index}` }));
    const errors = validate({ type: 'string', allOf }, 'a'.repeat(1_000_000), { patterns });
    expect(errors.length).toBeLessThan(10);
  });

  it('says that a text is too long for its pattern', () => {
    const patterns: PatternMatcher = { matchesPattern: () => undefined };
    const [error] = validate({ type: 'string', pattern: '^a' }, 'b', { path: 'spec.x', patterns });
    expect(error?.detail).toBe("spec.x in body is too long to be matched with '^a'");
  });
});

describe('the report of errors', () => {
  const errors = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ type: 'Required' as const, field: `f${index}` }));

  it('lists a thousand, and says that there are more', () => {
    const { text, causes } = reportErrors(errors(maxReportedErrors + 5));
    expect(causes).toHaveLength(maxReportedErrors);
    expect(text).toMatch(/, f999: Required value, only the first 1000 errors are listed\]$/);
  });

  it('says nothing when all are listed', () => {
    expect(reportErrors(errors(2)).text).toBe('[f0: Required value, f1: Required value]');
  });
});
