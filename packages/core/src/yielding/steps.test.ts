import { describe, expect, it } from 'vitest';
import { inSteps, type Steps } from './steps.ts';

function run<T>(steps: Steps<T>): { readonly made: T; readonly yields: number } {
  for (let yields = 0; ; yields += 1) {
    const { done, value } = steps.next('stop');
    if (done) return { made: value, yields };
  }
}

describe('inSteps', () => {
  it('ends a step after each item, and completes the list whatever the signal', () => {
    const double = (item: number, index: number) => `${index}: ${2 * item}`;
    expect(run(inSteps([5, 6, 7], double))).toEqual({ made: ['0: 10', '1: 12', '2: 14'], yields: 3 });
  });

  it('ends a step after each hundred light items', () => {
    const items = Array.from({ length: 250 }, (_, index) => index);
    expect(run(inSteps(items, (item) => item, 'light'))).toEqual({ made: items, yields: 2 });
  });

  it('ends a step after each ten medium items', () => {
    const items = Array.from({ length: 25 }, (_, index) => index);
    expect(run(inSteps(items, (item) => item, 'medium'))).toEqual({ made: items, yields: 2 });
  });

  it('takes no step for an empty list', () => {
    expect(run(inSteps([], () => 1))).toEqual({ made: [], yields: 0 });
  });
});
