import { describe, expect, it } from 'vitest';
import { TimeSlice } from './time-slice.ts';

function setUp(mostPieces?: number) {
  let now = 1000;
  const pass = (ms: number) => {
    now += ms;
  };
  return { slice: new TimeSlice({ monotonic: () => now }, mostPieces), pass };
}

describe('a time slice', () => {
  it('is over after five milliseconds of work', () => {
    const { slice, pass } = setUp();
    slice.run(() => pass(4));
    expect(slice.isOver).toBe(false);
    slice.run(() => pass(1));
    expect(slice.isOver).toBe(true);
  });

  it('does not count time in which nothing runs', () => {
    const { slice, pass } = setUp();
    slice.run(() => pass(4));
    pass(3_600_000);
    expect(slice.isOver).toBe(false);
  });

  it('counts work that throws', () => {
    const { slice, pass } = setUp();
    const failing = () => {
      pass(5);
      throw new Error('failed');
    };
    expect(() => slice.run(failing)).toThrow('failed');
    expect(slice.isOver).toBe(true);
  });

  it('is over after a number of pieces that take no time', () => {
    const { slice } = setUp(2);
    slice.run(() => undefined);
    expect(slice.isOver).toBe(false);
    slice.run(() => undefined);
    expect(slice.isOver).toBe(true);
  });

  it('starts over when the event loop has run', async () => {
    const { slice, pass } = setUp(1);
    slice.run(() => pass(9));
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    await slice.renew();
    expect(slice.isOver).toBe(false);
    expect(hasRun).toBe(true);
  });
});
