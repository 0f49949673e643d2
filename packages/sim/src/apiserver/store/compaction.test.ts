import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { Entry } from './entry.ts';
import { memoryJournal } from './journal.ts';
import { Store } from './store.ts';

function newStore(): Store {
  return new Store({ journal: memoryJournal, rarelyRead: ['events'] });
}

const object = (value: string): JsonObject => ({
  metadata: { namespace: 'default', name: 'a', labels: { value } },
  data: { value },
});

describe('the store', () => {
  it('keeps only the JSON of an event', () => {
    const event = object('1');
    const entry = newStore().put('events', event);
    expect(entry.object['data']).toEqual(event['data']);
    expect(entry.object['data']).not.toBe(event['data']);
  });

  it('keeps the object of everything else, which is read all the time', () => {
    const pod = object('1');
    const entry = newStore().put('pods', pod);
    expect(entry.object['data']).toBe(pod['data']);
  });

  it('keeps only the JSON of a replaced or deleted object', () => {
    const store = newStore();
    const pods = [object('1'), object('2')];
    const entries = pods.map((pod) => store.put('pods', pod));
    const last = store.get('pods', 'default', 'a');
    entries.push(...(last === undefined ? [] : [store.remove(last)]));
    expect(entries).toHaveLength(3);
    for (const entry of entries) {
      expect(entry.object['data']).not.toBe(pods[0]?.['data']);
      expect(entry.object['data']).not.toBe(pods[1]?.['data']);
    }
  });

  it('gives listeners the objects of a change before it drops them', () => {
    const store = newStore();
    const pods = [object('1'), object('2')] as const;
    const seen: unknown[] = [];
    store.put('pods', pods[0]);
    store.subscribe(({ previous }) => seen.push(previous?.object['data']));
    store.put('pods', pods[1]);
    expect(seen[0]).toBe(pods[0]['data']);
  });

  it('lists earlier revisions from their JSON', () => {
    const store = newStore();
    const { revision } = store.put('pods', object('1'));
    store.put('pods', object('2'));
    const [then] = store.listAt('pods', revision);
    expect(then?.object['data']).toEqual({ value: '1' });
    const [change] = store.changesSince(revision);
    expect(change?.previous?.object['data']).toEqual({ value: '1' });
    expect(change?.entry.object['data']).toEqual({ value: '2' });
  });

  it('keeps only the JSON of events from an earlier run', () => {
    const event = object('1');
    const entries = [new Entry('events', event, 1)];
    const journal = { ...memoryJournal, recovered: { revision: 1, entries } };
    const found = new Store({ journal, rarelyRead: ['events'] }).get('events', 'default', 'a');
    expect(found?.object['data']).toEqual({ value: '1' });
    expect(found?.object['data']).not.toBe(event['data']);
  });
});
