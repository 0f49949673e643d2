import { describe, expect, it } from 'vitest';
import { type KeepingEvent, KeepingEvents, keptReason } from './kept-reason.ts';
import type { NodeRow } from './node-row.ts';
import type { PodRow } from './pod-row.ts';

const event = (name: string, message: string, parts: Partial<KeepingEvent> = {}): KeepingEvent => ({
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Node', name: 'n1' },
  message,
  lastTimestamp: '2026-01-01T00:00:00Z',
  ...parts,
});

const row = (parts: Partial<NodeRow> = {}) =>
  ({
    nodeName: 'n1',
    nodeClaim: 'c1',
    pods: ['p1'],
    isDeleting: false,
    isProtected: false,
    ...parts,
  }) as NodeRow;

const protectedPod = (until: number) =>
  new Map([['p1', { namespace: 'shop', name: 'db-0', protectedUntil: until } as PodRow]]);

function reason(
  events: readonly KeepingEvent[],
  parts: Partial<NodeRow> = {},
  pods = new Map<string, PodRow>(),
) {
  const known = new KeepingEvents();
  for (const each of events) known.apply(each);
  return keptReason(row(parts), { pods, events: known, now: 1_000 });
}

describe('why a node is kept', () => {
  it('is the latest event about the Node or its NodeClaim, in whatever order they come', () => {
    const older = event('a', 'older');
    const newer = event('b', 'newer', {
      involvedObject: { kind: 'NodeClaim', name: 'c1' },
      series: { lastObservedTime: '2026-01-01T00:05:00Z' },
    });
    expect(reason([older, newer])).toBe('newer');
    expect(reason([newer, older])).toBe('newer');
    expect(
      reason([event('x', 'about another', { involvedObject: { kind: 'Node', name: 'n2' } })]),
    ).toBeUndefined();
  });

  it('is an annotation that holds now before an event', () => {
    expect(reason([event('a', 'old')], { isProtected: true })).toBe(
      'the node is annotated with do-not-disrupt',
    );
    expect(reason([event('a', 'old')], {}, protectedPod(2_000))).toBe(
      'pod shop/db-0 is annotated with do-not-disrupt',
    );
    expect(reason([event('a', 'old')], {}, protectedPod(500))).toBe('old');
  });

  it('is nothing for a node that goes', () => {
    expect(reason([event('a', 'old')], { isDeleting: true })).toBeUndefined();
  });

  it('is forgotten with its event, but not with an earlier one', () => {
    const known = new KeepingEvents();
    known.apply(event('a', 'first'));
    known.apply(event('b', 'second', { lastTimestamp: '2026-01-01T00:05:00Z' }));
    known.delete(event('a', 'first'));
    expect(known.about(row())).toBe('second');
    known.delete(event('b', 'second'));
    expect(known.about(row())).toBeUndefined();
  });
});
