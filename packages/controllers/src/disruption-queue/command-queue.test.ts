import { hours, minutes } from '@karpenter/core/api';
import { type Command, findCandidates } from '@karpenter/core/disruption';
import { disruptableCluster, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { CommandQueue } from './command-queue.ts';

const snapshot = disruptableCluster({
  managedNodes: [managedNode('n')],
  types: [instanceType('large', { price: 0.4 })],
});
const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');

function commandOf(count: number): Command {
  return {
    reason: 'Underutilized',
    consolidationType: 'single',
    candidates: Array.from({ length: count }, () => candidates).flat(),
    replacements: [],
    destinations: [],
    savings: 0,
  };
}

/** How long a command may take beside so many nodes of others. */
function patience(others: number): number {
  const queue = new CommandQueue();
  const running = { id: 'own', command: commandOf(1), replacements: [], since: 0 };
  queue.add(running);
  queue.add({ id: 'others', command: commandOf(others), replacements: [], since: 0 });
  let least = 0;
  let most: number = hours(2);
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (queue.isOverdue(running, middle)) most = middle;
    else least = middle;
  }
  return least;
}

describe('the timeout of a command', () => {
  it('is at least ten minutes', () => {
    expect(patience(0)).toBe(minutes(10));
    expect(patience(7_499)).toBe(minutes(10));
  });

  it('grows by 80 ms with every queued candidate', () => {
    expect(patience(9_999)).toBe(800_000);
  });

  it('is at most an hour', () => {
    expect(patience(50_000)).toBe(hours(1));
  });
});
