import { describe, expect, it } from 'vitest';
import { decompress, TextCompressor } from './compressed-text.ts';

const event = (index: number): string =>
  JSON.stringify({
    kind: 'Event',
    metadata: { name: `web-${index}.18e8e20a19d288c8`, namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: `web-${index}` },
    message: `Successfully assigned default/web-${index} to ip-10-0-0-${index}… 日本 🚀`,
    source: { component: 'default-scheduler' },
    type: 'Normal',
  });

const events = (count: number) => Array.from({ length: count }, (_, index) => event(index));

describe('compressed texts', () => {
  it('are the same when they are decompressed, also after later texts have got another dictionary', () => {
    const compressor = new TextCompressor();
    const texts = events(350);
    const compressed = texts.map((text) => compressor.compress(text));
    expect(compressed.map(decompress)).toEqual(texts);
    expect(new Set(compressed.map(({ dictionary }) => dictionary)).size).toBe(4);
  });

  it.each([
    ['an empty text', ''],
    ['a text longer than a dictionary', 'long ü '.repeat(20_000)],
  ])('may begin with %s', (_, first) => {
    const compressor = new TextCompressor();
    const texts = [first, ...events(2)];
    expect(texts.map((text) => compressor.compress(text)).map(decompress)).toEqual(texts);
  });

  it('take a quarter of their length if they resemble each other', () => {
    const compressor = new TextCompressor();
    const [, ...others] = events(50).map((text) => ({ text, compressed: compressor.compress(text) }));
    for (const { text, compressed } of others) expect(compressed.bytes.length).toBeLessThan(text.length / 4);
  });
});
