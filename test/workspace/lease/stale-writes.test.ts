import { describe, expect, it } from 'vitest';
import { divideStaleWrites, type RecordedLease, type RecordedWrite, staleWrites } from './stale-writes.ts';

const held = (writer: string, at: number): RecordedLease => ({
  writer,
  at,
  holder: writer,
  durationMs: 3000,
});
const write = (writer: string, at: number) => ({ writer, at, what: 'POST claim' });
const reasons = (writes: readonly RecordedWrite[], leases: readonly RecordedLease[]) =>
  staleWrites(writes, leases).map(({ why }) => why);

describe('the search for writes without a lease', () => {
  it('accepts writes of the holder of the lease', () => {
    const leases = [held('a', 0), held('a', 2000), held('b', 6000)];
    expect(staleWrites([write('a', 10), write('a', 4999), write('b', 6001)], leases)).toEqual([]);
  });

  it('finds writes after the lease has expired or was released', () => {
    const released = { ...held('a', 4000), holder: '' };
    expect(reasons([write('a', 3500), write('a', 4500)], [held('a', 0), released])).toEqual([
      'POST claim by a 500 ms after its lease had run out',
      'POST claim by a while nobody held the lease',
    ]);
  });

  it('finds writes of a process that does not lead yet or any more', () => {
    expect(reasons([write('b', 100), write('a', 6001)], [held('a', 0), held('b', 6000)])).toEqual([
      'POST claim by b while a held the lease',
      'POST claim by a while b held the lease',
    ]);
  });
});

describe('the division of stale writes', () => {
  const stale = (writer: string, why: string) => ({ writer, why });

  it('calls a single write of a stopped process unpreventable', () => {
    expect(divideStaleWrites([stale('a', 'one'), stale('b', 'two')])).toEqual({
      unpreventable: ['one', 'two'],
      preventable: [],
    });
  });

  it('calls several writes of a stopped process preventable', () => {
    expect(divideStaleWrites([stale('a', 'one'), stale('b', 'two'), stale('a', 'three')])).toEqual({
      unpreventable: ['two'],
      preventable: ['one', 'three'],
    });
  });
});
