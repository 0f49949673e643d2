import { describe, expect, it } from 'vitest';
import type { Re2Pattern } from './pattern.ts';
import { PatternCache } from './pattern-cache.ts';

/** A cache of patterns that hold so many bytes each, and the expressions that it has compiled. */
function setUp(heldBytes: number) {
  const compiled: string[] = [];
  const cache = new PatternCache((expression): Re2Pattern => {
    compiled.push(expression);
    return { test: () => true, findAll: () => [], stepsFor: () => 1, heldBytes: () => heldBytes };
  });
  return { cache, compiled };
}

const expressions = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

describe('the cache of patterns', () => {
  it('compiles an expression once', () => {
    const { cache, compiled } = setUp(0);
    expect(cache.get('a')).toBe(cache.get('a'));
    expect(compiled).toEqual(['a']);
  });

  it('forgets the one of a thousand that was not used for longest', () => {
    const { cache, compiled } = setUp(0);
    for (const each of [...expressions(1_000), 'e0', 'new', 'e0', 'e1']) cache.get(each);
    expect(compiled.slice(1_000)).toEqual(['new', 'e1']);
  });

  it('forgets all when they hold more memory than a cache is worth', () => {
    const { cache, compiled } = setUp(8 * 1024 * 1024);
    for (const each of expressions(1_000)) cache.get(each);
    cache.get('e999');
    expect(compiled).toHaveLength(1_001);
  });
});
