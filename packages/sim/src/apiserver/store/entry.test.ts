import { describe, expect, it } from 'vitest';
import { Entry } from './entry.ts';

const object = {
  kind: 'Event',
  metadata: { namespace: 'default', name: 'a.1', labels: { constructor: 'x' } },
  involvedObject: { kind: 'Pod', name: 'ä' },
  count: 3,
};

function compactEntry(): Entry {
  const entry = new Entry('events', object, 7);
  entry.compact();
  return entry;
}

describe('a compact entry', () => {
  it('has the same object and JSON as before', () => {
    const entry = new Entry('events', object, 7);
    const { json, bytes } = entry;
    expect(compactEntry().object).toEqual(entry.object);
    expect(compactEntry().json).toBe(json);
    expect(compactEntry().bytes).toBe(bytes);
  });

  it('returns one object to all readers while one of them uses it', () => {
    const entry = compactEntry();
    const first = entry.object;
    expect(entry.object).toBe(first);
  });

  it('can be compacted again', () => {
    const entry = compactEntry();
    entry.compact();
    expect(entry.object['count']).toBe(3);
  });
});
