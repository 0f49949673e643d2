import { seconds } from '@karpenter/core/api';
import { VirtualClock } from '@karpenter/testkit/clock';
import { expect, it } from 'vitest';
import { ProvisioningBatcher } from './batcher.ts';

function begin() {
  const clock = new VirtualClock(0);
  const batcher = new ProvisioningBatcher(clock, { idle: seconds(1), max: seconds(10) });
  const ended = new AbortController();
  const batches: number[] = [];
  const done = (async () => {
    while (await batcher.wait(ended.signal)) batches.push(clock.now());
  })();
  const stop = () => {
    ended.abort();
    return done;
  };
  return { clock, batcher, batches, stop };
}

it('waits for the first trigger, however long that takes', async () => {
  const { clock, batcher, batches, stop } = begin();
  await clock.advance(seconds(100));
  batcher.trigger('a');
  await clock.advance(seconds(5));
  expect(batches).toEqual([101_000]);
  await stop();
});

it('ends a batch a second after the last trigger, and at most ten seconds after the first', async () => {
  const { clock, batcher, batches, stop } = begin();
  await clock.advance(0);
  for (let index = 0; index < 30; index += 1) {
    batcher.trigger(`pod-${index}`);
    await clock.advance(500);
  }
  await clock.advance(seconds(5));
  expect(batches).toEqual([10_000, 15_500]);
  await stop();
});

it('does not extend the batch for a pod that triggers again', async () => {
  const { clock, batcher, batches, stop } = begin();
  batcher.trigger('a');
  await clock.advance(900);
  batcher.trigger('a');
  await clock.advance(seconds(3));
  expect(batches).toEqual([1000]);
  await stop();
});

it('keeps triggers that arrive during a pass for the next batch', async () => {
  const clock = new VirtualClock(0);
  const batcher = new ProvisioningBatcher(clock, { idle: seconds(1), max: seconds(10) });
  const { signal } = new AbortController();
  batcher.trigger('a');
  await clock.advance(seconds(30));
  expect(await batcher.wait(signal)).toBe(true);
  let isOver = false;
  void batcher.wait(signal).then(() => {
    isOver = true;
  });
  await clock.advance(seconds(30));
  expect(isOver).toBe(false);
});

it('stops when the signal aborts, even in the middle of a window', async () => {
  const { batcher, batches, stop } = begin();
  batcher.trigger('a');
  await stop();
  expect(batches).toEqual([]);
});

it('plans at once for those who have waited before', async () => {
  const { clock, batcher, batches, stop } = begin();
  await clock.advance(seconds(100));
  batcher.trigger('left by an earlier leader', true);
  await clock.advance(0);
  expect(batches).toEqual([100_000]);
  await stop();
});
