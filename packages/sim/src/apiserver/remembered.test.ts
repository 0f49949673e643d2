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

describe('a function that remembers', () => {
  it('is asked once for each text', () => {
    const { ask, asked } = counted((text) => text.length);
    expect(['a', 'bb', 'a', 'bb'].map(ask)).toEqual([1, 2, 1, 2]);
    expect(asked).toEqual(['a', 'bb']);
  });

  it('remembers that the answer was nothing', () => {
    const { ask, asked } = counted(() => undefined);
    ask('a');
    ask('a');
    expect(asked).toHaveLength(1);
  });

  it('throws anew', () => {
    const { ask, asked } = counted((text) => {
      throw new Error(text);
    });
    expect(() => ask('a')).toThrow('a');
    expect(() => ask('a')).toThrow('a');
    expect(asked).toHaveLength(2);
  });

  it('keeps neither long texts nor more than it was made for', () => {
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
