import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { YieldBudget } from '@karpenter/kube/yielding';
import { describe, expect, it } from 'vitest';
import { writeWithBackpressure } from './slow-response.ts';

/** Endless lines of a sixteenth of a piece, on a clock on which each takes a quarter of a millisecond. */
function setUp() {
  let now = 0;
  let made = 0;
  function* lines() {
    for (;;) {
      made += 1;
      now += 0.25;
      yield 'x'.repeat(4096);
    }
  }
  return { lines, made: () => made, budget: new YieldBudget({ monotonic: () => now }) };
}

/** A reader that takes all at once. */
const fastReader = () => new PassThrough({ highWaterMark: 1e9 });

async function mostLinesInATurn(responses: number): Promise<number> {
  const { lines, made, budget } = setUp();
  const readers = Array.from({ length: responses }, fastReader);
  for (const reader of readers) void writeWithBackpressure(reader as never, lines(), budget);
  let most = 0;
  for (let turn = 0; turn < 50; turn += 1) {
    const before = made();
    await setImmediate();
    most = Math.max(most, made() - before);
  }
  for (const reader of readers) reader.destroy();
  return most;
}

describe('a response in pieces', () => {
  it('takes as much of each turn of the event loop with many readers as with one', async () => {
    const alone = await mostLinesInATurn(1);
    expect(alone).toBeGreaterThan(0);
    expect(await mostLinesInATurn(20)).toBeLessThanOrEqual(2 * alone);
  });

  it('ends for a reader that takes each piece at once', async () => {
    const reader = new PassThrough({ highWaterMark: 1024 });
    let taken = 0;
    reader.on('data', (chunk) => {
      taken += chunk.length;
    });
    const lines = Array.from({ length: 100 }, () => 'x'.repeat(4096));
    await writeWithBackpressure(reader as never, lines);
    expect(taken).toBe(100 * 4096);
  });

  it('has all lines in their order', async () => {
    const reader = fastReader();
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} of many\n`);
    await writeWithBackpressure(reader as never, lines);
    const chunks: string[] = [];
    for await (const chunk of reader) chunks.push(String(chunk));
    expect(chunks.join('')).toBe(lines.join(''));
  });
});
