import { describe, expect, it } from 'vitest';
import { remembered } from './remembered.ts';

function counted(work: (text: string) => unknown) {
  const asked: string[] = [];
  const ask = remembered((text) => {
    asked.push(text);
    return work(text);
  });
  return { ask, asked };
}

describe('remembered', () => {
  it('calls the function once per text', () => {
    const { ask, asked } = counted((text) => text.length);
    expect(['a', 'bb', 'a', 'bb'].map(ask)).toEqual([1, 2, 1, 2]);
    expect(asked).toEqual(['a', 'bb']);
  });

  it('caches an undefined result', () => {
    const { ask, asked } = counted(() => undefined);
    ask('a');
    ask('a');
    expect(asked).toHaveLength(1);
  });

  it('does not cache errors', () => {
    const { ask, asked } = counted((text) => {
      throw new Error(text);
    });
    expect(() => ask('a')).toThrow('a');
    expect(() => ask('a')).toThrow('a');
    expect(asked).toHaveLength(2);
  });

  it('caches neither long texts nor more than its limit', () => {
    const { ask, asked } = counted((text) => text);
    const long = 'x'.repeat(10_000);
    ask(long);
    ask(long);
    expect(asked).toHaveLength(2);
    for (let index = 0; index < 5_000; index += 1) ask(String(index));
    expect(ask('0')).toBe('0');
    expect(asked).toHaveLength(5_003);
  });
});
