import { describe, expect, it } from 'vitest';
import { TextCompressor } from './compressed-text.ts';
import { Entry } from './entry.ts';

const object = {
  kind: 'Event',
  metadata: { namespace: 'default', name: 'a.1', labels: { constructor: 'x' } },
  involvedObject: { kind: 'Pod', name: 'ä…' },
  count: 3,
};

describe.each([
  ['a compact entry', () => undefined],
  ['a compressed entry', () => new TextCompressor()],
])('%s', (_, newCompressor) => {
  const compactEntry = (): Entry => {
    const entry = new Entry('events', object, 7);
    entry.compact(newCompressor());
    return entry;
  };

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

  it('finds text in its JSON', () => {
    expect(compactEntry().mayContain('"ä…"')).toBe(true);
    expect(compactEntry().mayContain('"ö"')).toBe(false);
  });

  it('can be compacted again', () => {
    const entry = compactEntry();
    entry.compact(newCompressor());
    expect(entry.object['count']).toBe(3);
  });
});
