import type { PatternMatcher } from '@karpenter/core/schema';
import { RE2JS } from 're2js';

/** A compiled expression of RE2. */
export interface Re2Pattern {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** The matches from left to right, as Go's `FindAllString` returns them; `limit` below zero means all. */
  findAll(text: string, limit?: number): string[];
}

/** Expressions may come from the objects of users, so the cache forgets the one that was not used for longest. */
const capacity = 1_000;
const cache = new Map<string, Re2Pattern>();

/** Compiles an expression. Throws an error with Go's message where RE2 refuses it, such as for lookaheads. */
export function compilePattern(expression: string): Re2Pattern {
  const known = cache.get(expression) ?? compiled(expression);
  // Setting it again moves it to the end, where the most recently used one is.
  cache.delete(expression);
  cache.set(expression, known);
  const [oldest] = cache.keys();
  if (cache.size > capacity && oldest !== undefined) cache.delete(oldest);
  return known;
}

/** Matches the patterns of schemas. Nothing matches an expression that RE2 refuses. */
export const patternMatcher: PatternMatcher = {
  matchesPattern(expression, text) {
    try {
      return compilePattern(expression).test(text);
    } catch {
      return false;
    }
  },
};

function compiled(expression: string): Re2Pattern {
  const engine = RE2JS.compile(expression);
  return {
    test: (text) => engine.test(text),
    findAll: (text, limit = -1) => findAll(engine, text, limit),
  };
}

/** Go leaves out an empty match that follows another match directly. */
function findAll(engine: RE2JS, text: string, limit: number): string[] {
  const found: string[] = [];
  let end = -1;
  const matcher = engine.matcher(text);
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const match = matcher.group() ?? '';
    if (match !== '' || matcher.start() !== end) found.push(match);
    end = matcher.end();
  }
  return found;
}
