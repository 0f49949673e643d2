import { describe, expect, it } from 'vitest';
import { builtInKinds } from '../kinds/built-in-kinds.ts';
import { selectionOf } from '../selection/index.ts';
import { memoryJournal, Store } from '../store/index.ts';
import { listPage } from './list.ts';

const count = 250;

function setUp() {
  const kind = builtInKinds().find((each) => each.kind === 'Event' && each.group === '');
  if (kind === undefined) throw new Error('no kind Event');
  const store = new Store({ journal: memoryJournal, rarelyRead: ['events'] });
  const put = (name: string, reason: string) =>
    store.put('events', { metadata: { namespace: 'default', name }, reason });
  for (let index = 0; index < count; index += 1) put(`event-${index}`, 'Pulled');
  const texts = { namespace: 'default', name: '', labelSelector: null, fieldSelector: 'reason=Pulled' };
  const request = { selection: selectionOf(kind, texts), query: new URLSearchParams() };
  return { store, put, steps: listPage(store, kind, request) };
}

describe('a list in steps', () => {
  it('shows the state of its first step, whatever is written between two steps', () => {
    const { store, put, steps } = setUp();
    const { revision } = store;
    expect(steps.next().done).toBe(false);
    put('event-0', 'Failed');
    put('later', 'Pulled');
    let result = steps.next();
    while (!result.done) result = steps.next();
    expect(result.value.entries).toHaveLength(count);
    expect(result.value.meta).toEqual({ resourceVersion: String(revision) });
  });
});
