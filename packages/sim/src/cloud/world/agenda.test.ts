import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { AccountClock } from './account-clock.ts';
import { Agenda, type SavedEntry } from './agenda.ts';
import { matchesPattern } from './wildcard.ts';

function agendaOf(clock: VirtualClock, perform: (task: string) => void, saved?: SavedEntry<string>[]) {
  return new Agenda<string>({ clock: new AccountClock(clock), perform, ...(saved && { saved }) });
}

describe('the agenda', () => {
  it('runs tasks by time, and those of the same time in the order they were added', async () => {
    const clock = new VirtualClock();
    const done: string[] = [];
    const agenda = agendaOf(clock, (task) => done.push(task));
    agenda.after(20, 'late');
    agenda.after(10, 'first');
    agenda.after(10, 'second');
    await clock.advance(15);
    expect(done).toEqual(['first', 'second']);
    await clock.advance(5);
    expect(done).toEqual(['first', 'second', 'late']);
  });

  it('continues after a task that throws, and reports it', async () => {
    const clock = new VirtualClock();
    const errors: unknown[] = [];
    const done: string[] = [];
    const failure = new Error('no instance');
    const agenda = new Agenda<string>({
      clock: new AccountClock(clock),
      perform: (task) => {
        if (task === 'fails') throw failure;
        done.push(task);
      },
      onError: (error) => errors.push(error),
    });
    agenda.after(10, 'fails');
    agenda.after(10, 'same time');
    agenda.after(20, 'later');
    await clock.advance(20);
    expect(done).toEqual(['same time', 'later']);
    expect(errors).toEqual([failure]);
  });

  it('accepts new tasks from running tasks', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const begin = clock.now();
    const agenda = agendaOf(clock, () => {
      times.push(clock.now() - begin);
      if (times.length < 3) agenda.after(10, 'again');
    });
    agenda.after(10, 'again');
    await clock.advance(100);
    expect(times).toEqual([10, 20, 30]);
    expect(clock.sleeping).toBe(0);
  });

  it('runs nothing once it is stopped', async () => {
    const clock = new VirtualClock();
    const done: string[] = [];
    const agenda = agendaOf(clock, (task) => done.push(task));
    agenda.after(10, 'late');
    agenda.stop();
    await clock.advance(100);
    expect(done).toEqual([]);
  });
});

describe('a saved agenda', () => {
  it('contains the remaining tasks in order', () => {
    const clock = new VirtualClock(0);
    const agenda = agendaOf(clock, () => undefined);
    for (const [after, task] of [
      [20, 'late'],
      [10, 'first'],
      [10, 'second'],
    ] as const)
      agenda.after(after, task);
    expect(agenda.save()).toEqual([
      { at: 10, task: 'first' },
      { at: 10, task: 'second' },
      { at: 20, task: 'late' },
    ]);
  });

  it('waits for resume, then runs overdue tasks and their followers as of their due times', () => {
    const now = 1_000;
    const clock = new AccountClock(new VirtualClock(now));
    const done: [string, number][] = [];
    const agenda = new Agenda<string>({
      clock,
      saved: [
        { at: 100, task: 'end' },
        { at: 300, task: 'other' },
        { at: now + 1, task: 'later' },
      ],
      perform: (task) => {
        done.push([task, clock.now()]);
        if (task === 'end') agenda.after(150, 'forget');
      },
    });
    expect(done).toEqual([]);
    agenda.resume();
    expect(done).toEqual([
      ['end', 100],
      ['forget', 250],
      ['other', 300],
    ]);
    expect(clock.now()).toBe(now);
    expect(agenda.save()).toEqual([{ at: now + 1, task: 'later' }]);
    agenda.stop();
  });
});

describe('wildcards', () => {
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
