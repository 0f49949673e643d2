import { WorkQueue } from '../packages/kube/dist/runtime/work-queue.js';

// The queue of a controller that has a key for each pod of a large cluster: all of them are added at once, as when
// a process starts, and a worker takes one after the other.

const keys = Array.from({ length: 200_000 }, (_, index) => `default/app-${index}`);
const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };

async function takeAll() {
  const queue = new WorkQueue({ clock });
  for (const key of keys) queue.add(key);
  let taken = 0;
  const begun = performance.now();
  while (queue.depth > 0) {
    queue.done(await queue.take());
    taken += 1;
  }
  return { taken, perSecond: (1000 * taken) / (performance.now() - begun) };
}

export async function run() {
  const rounds = [];
  for (let round = 0; round < 7; round += 1) rounds.push(await takeAll());
  return {
    exact: { 'keys taken': rounds[0].taken },
    perSecond: { 'keys of 200,000 that wait': Math.max(...rounds.map(({ perSecond }) => perSecond)) },
    bytes: {},
  };
}
