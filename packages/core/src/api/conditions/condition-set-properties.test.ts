import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConditionedObject, getCondition } from './condition.ts';
import { conditionSet } from './condition-set.ts';
import { formatTimestamp } from './timestamp.ts';

const created = '2026-11-15T03:31:54Z';
const start: ConditionedObject = { generation: 1, creationTimestamp: created, conditions: [] };
const at = (seconds: number) => formatTimestamp(Date.parse(created) + seconds * 1000);

describe('any sequence of changes', () => {
  const dependents = ['A', 'B', 'C'];
  const set = conditionSet({ root: 'Ready', dependents });
  const setters = { True: set.setTrue, False: set.setFalse, Unknown: set.setUnknown };
  const steps = fc.array(
    fc.record({
      type: fc.constantFrom('A', 'B', 'C', 'Other'),
      status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
      generation: fc.integer({ min: 0, max: 1 }),
      wait: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

  function* run(sequence: readonly Step[]) {
    let current = start;
    let clock = 0;
    for (const { type, status, generation, wait } of sequence) {
      clock += wait;
      const before = { ...current, generation: current.generation + generation };
      const change = { type, now: at(clock), reason: 'Because' };
      current = { ...before, conditions: setters[status](before, change) };
      yield { before, after: current, now: change.now };
    }
  }

  it('moves a transition time exactly when the status changes', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        for (const { before, after: next, now } of run(sequence)) {
          for (const condition of set.initialise(before)) {
            const changed = getCondition(next, condition.type);
            const isKept = changed?.status === condition.status;
            expect(changed?.lastTransitionTime).toBe(isKept ? condition.lastTransitionTime : now);
          }
        }
      }),
    );
  });

  it('keeps the root last and the others by transition time', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        for (const { after: next } of run(sequence)) {
          expect(next.conditions.at(-1)?.type).toBe('Ready');
          const times = next.conditions.slice(0, -1).map(({ lastTransitionTime }) => lastTransitionTime);
          expect(times).toEqual(times.toSorted());
        }
      }),
    );
  });

  it('keeps the root consistent with its dependents', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        for (const { after: next } of run(sequence)) {
          const judged = dependents.map((type) => getCondition(next, type));
          const current = judged.filter((condition) => condition?.observedGeneration === next.generation);
          const isTrue =
            current.filter((condition) => condition?.status === 'True').length === dependents.length;
          const isFalse = current.some((condition) => condition?.status === 'False');
          const notTrue = isFalse ? 'False' : 'Unknown';
          const expected = isTrue ? 'True' : notTrue;
          expect(getCondition(next, 'Ready')).toMatchObject({
            status: expected,
            observedGeneration: next.generation,
          });
        }
      }),
    );
  });

  it('changes nothing when the last change is repeated later', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const last = sequence.at(-1) as Step;
        const { after: final } = [...run(sequence)].at(-1) as { after: ConditionedObject };
        const change = { type: last.type, now: at(1000), reason: 'Because' };
        expect(setters[last.status](final, change)).toEqual(final.conditions);
      }),
    );
  });

  it('has each type once', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        for (const { after: next } of run(sequence)) {
          expect(new Set(next.conditions.map(({ type }) => type)).size).toBe(next.conditions.length);
        }
      }),
    );
  });
});
