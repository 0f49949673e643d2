import type { Event, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { PodHistory } from './pod-history.ts';

const pod = (uid: string) => ({ metadata: { uid, ownerReferences: [{ uid: 'web' }] } }) as Pod;
const eviction = (uid: string) => ({ involvedObject: { uid } }) as Event;

/** Each step is a second after the one before: the new pods, and the pods evicted by then. */
function historyOf(steps: readonly { readonly created: string; readonly evicted?: string }[]): PodHistory {
  const history = new PodHistory();
  const evicted: Event[] = [];
  for (const [index, step] of steps.entries()) {
    evicted.push(...[...(step.evicted ?? '')].map(eviction));
    history.observe([...step.created].map(pod), evicted, index * 1_000);
  }
  return history;
}

const hour = 3_600_000;

describe('the moves of a pod', () => {
  it('are those of all pods that it continues', () => {
    const history = historyOf([
      { created: 'a' },
      { created: 'b', evicted: 'a' },
      { created: 'c', evicted: 'b' },
      { created: 'd', evicted: 'c' },
    ]);
    expect(history.mostWithin(hour)).toBe(3);
    expect(history.mostWithin(2_000)).toBe(2);
    expect(history.movesPerPlace).toBe(3);
  });

  it('are as few as they can be where either of two pods could continue the longer history', () => {
    const history = historyOf([
      { created: 'ab' },
      { created: 'c', evicted: 'a' },
      { created: 'de', evicted: 'cb' },
      { created: 'f', evicted: 'd' },
    ]);
    expect(history.mostWithin(hour)).toBe(2);
  });

  it('end where nothing follows within twenty seconds', () => {
    const quiet = Array.from({ length: 20 }, () => ({ created: '' }));
    const history = historyOf([{ created: 'a' }, { created: '', evicted: 'a' }, ...quiet, { created: 'b' }]);
    expect(history.movesPerPlace).toBe(0.5);
  });
});
