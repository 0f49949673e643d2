import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { memoryJournal, Store, type StoreChange } from '../store/index.ts';
import { EventExpiry } from './event-expiry.ts';

const minute = 60_000;

function eventNamed(name: string, times: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'default' }, ...times };
}

function expiring(events: readonly ReturnType<typeof eventNamed>[] = []) {
  const clock = new VirtualClock();
  const store = new Store({ journal: memoryJournal });
  for (const event of events) store.put('events', event);
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  const expiry = new EventExpiry({ store, clock });
  expiry.start();
  const names = () => store.list('events').map(({ name }) => name);
  return { clock, store, changes, expiry, names };
}

describe('EventExpiry', () => {
  it('deletes an event an hour after it was created, and watches see it', async () => {
    const { clock, store, changes, names } = expiring();
    store.put('events', eventNamed('a'));
    await clock.advance(59 * minute);
    expect(names()).toEqual(['a']);
    await clock.advance(minute);
    expect(names()).toEqual([]);
    expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  });

  it('keeps an event for another hour after each write', async () => {
    const { clock, store, names } = expiring();
    store.put('events', eventNamed('a'));
    store.put('events', eventNamed('b'));
    await clock.advance(50 * minute);
    store.put('events', eventNamed('a'));
    await clock.advance(50 * minute);
    expect(names()).toEqual(['a']);
    await clock.advance(10 * minute);
    expect(names()).toEqual([]);
  });

  it('leaves other objects alone', async () => {
    const { clock, store } = expiring();
    store.put('configmaps', { ...eventNamed('a'), kind: 'ConfigMap' });
    await clock.advance(100 * minute);
    expect(store.size('configmaps')).toBe(1);
  });

  it('deletes thousands that expire together', async () => {
    const { clock, store, names } = expiring();
    for (let index = 0; index < 3_000; index += 1) store.put('events', eventNamed(`event-${index}`));
    await clock.advance(60 * minute);
    expect(names()).toEqual([]);
  });

  it('goes on after a time without events', async () => {
    const { clock, store, names } = expiring();
    store.put('events', eventNamed('a'));
    await clock.advance(90 * minute);
    store.put('events', eventNamed('b'));
    await clock.advance(60 * minute);
    expect(names()).toEqual([]);
  });

  it('counts the hour of events from before a restart from their last occurrence', async () => {
    const start = new VirtualClock().now();
    const ago = (minutes: number) => new Date(start - minutes * minute).toISOString();
    const { clock, names } = expiring([
      eventNamed('old', { lastTimestamp: ago(90) }),
      eventNamed('recent', { lastTimestamp: ago(10) }),
      eventNamed('repeated', { eventTime: ago(80), lastTimestamp: ago(30) }),
    ]);
    await clock.advance(0);
    expect(names()).toEqual(['recent', 'repeated']);
    await clock.advance(30 * minute);
    expect(names()).toEqual(['recent']);
    await clock.advance(20 * minute);
    expect(names()).toEqual([]);
  });

  it('deletes nothing after it is stopped', async () => {
    const { clock, store, expiry, names } = expiring();
    store.put('events', eventNamed('a'));
    await expiry.stop();
    await clock.advance(90 * minute);
    expect(names()).toEqual(['a']);
  });
});
