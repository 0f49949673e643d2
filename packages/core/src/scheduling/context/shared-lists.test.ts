import { describe, expect, it } from 'vitest';
import { SharedLists } from './shared-lists.ts';

describe('lists by key', () => {
  it('are empty for a key without items', () => {
    expect(new SharedLists().get('a')).toEqual([]);
  });

  it('stay as they are when a copy grows, and the copy when they grow', () => {
    const lists = new SharedLists<number>();
    lists.push('a', 1);
    const copied = lists.copy();
    const again = copied.copy();
    copied.push('a', 2);
    lists.push('a', 3);
    lists.push('b', 4);
    again.push('a', 5);
    expect([lists, copied, again].map((each) => each.get('a'))).toEqual([
      [1, 3],
      [1, 2],
      [1, 5],
    ]);
    expect([...copied.values()]).toEqual([[1, 2]]);
    expect(copied.get('b')).toEqual([]);
  });

  it('share what neither adds to', () => {
    const lists = new SharedLists<number>();
    lists.push('a', 1);
    expect(lists.copy().get('a')).toBe(lists.get('a'));
  });
});
