import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { Agenda } from './agenda.ts';
import { matchesPattern } from './wildcard.ts';

describe('the agenda', () => {
  it('does things in order of time, and at the same time in the order they were entered', async () => {
    const clock = new VirtualClock();
    const agenda = new Agenda(clock);
    const done: string[] = [];
    agenda.after(20, () => done.push('late'));
    agenda.after(10, () => done.push('first'));
    agenda.after(10, () => done.push('second'));
    await clock.advance(15);
    expect(done).toEqual(['first', 'second']);
    await clock.advance(5);
    expect(done).toEqual(['first', 'second', 'late']);
  });

  it('goes on after a task that fails, and says so', async () => {
    const clock = new VirtualClock();
    const errors: unknown[] = [];
    const agenda = new Agenda(clock, (error) => errors.push(error));
    const done: string[] = [];
    const failure = new Error('no machine');
    agenda.after(10, () => {
      throw failure;
    });
    agenda.after(10, () => done.push('same time'));
    agenda.after(20, () => done.push('later'));
    await clock.advance(20);
    expect(done).toEqual(['same time', 'later']);
    expect(errors).toEqual([failure]);
  });

  it('takes entries from what it does', async () => {
    const clock = new VirtualClock();
    const agenda = new Agenda(clock);
    const times: number[] = [];
    const begin = clock.now();
    const again = () => {
      times.push(clock.now() - begin);
      if (times.length < 3) agenda.after(10, again);
    };
    agenda.after(10, again);
    await clock.advance(100);
    expect(times).toEqual([10, 20, 30]);
    expect(clock.sleeping).toBe(0);
  });

  it('does nothing once it is stopped', async () => {
    const clock = new VirtualClock();
    const agenda = new Agenda(clock);
    const done: string[] = [];
    agenda.after(10, () => done.push('late'));
    agenda.stop();
    await clock.advance(100);
    expect(done).toEqual([]);
  });
});

describe('patterns', () => {
  it.each([
    ['m5.*', 'm5.large', true],
    ['m5.*', 'm5a.large', false],
    ['m?.large', 'm5.large', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['*', '', true],
    ['a.b', 'axb', false],
    ['(a|b)', 'a', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });
});
