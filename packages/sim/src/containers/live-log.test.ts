import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { LiveLog } from './live-log.ts';

describe('the log of a program', () => {
  it('has a line for each line of a text, with the time at which it was written', async () => {
    const clock = new VirtualClock(0);
    const log = new LiveLog(clock);
    log.append('one\ntwo\n');
    await clock.advance(1_000);
    log.append('three');
    expect(log.lines).toEqual([
      { sequence: 0, at: 0, text: 'one' },
      { sequence: 1, at: 0, text: 'two' },
      { sequence: 2, at: 1_000, text: 'three' },
    ]);
  });

  it('keeps the last lines of a long log under their numbers', () => {
    const log = new LiveLog(new VirtualClock());
    for (let line = 0; line <= 50_000; line += 1) log.append(`line ${line}`);
    expect(log.lines.length).toBeGreaterThanOrEqual(10_000);
    expect(log.lines.length).toBeLessThanOrEqual(20_000);
    expect(log.lines.at(-1)).toMatchObject({ sequence: 50_000, text: 'line 50000' });
    expect(log.lines[0]?.text).toBe(`line ${log.lines[0]?.sequence}`);
  });

  it('calls listeners until they unsubscribe', () => {
    const log = new LiveLog(new VirtualClock());
    let calls = 0;
    const unsubscribe = log.onLines(() => {
      calls += 1;
    });
    log.append('one');
    unsubscribe();
    log.append('two');
    expect(calls).toBe(1);
  });
});
