import type { PatternMatcher } from '@karpenter/core/schema';
import { RE2JS } from 're2js';
import { expressionSize } from './expression-size.ts';
import { PatternCache } from './pattern-cache.ts';

/** A compiled expression of RE2. */
export interface Re2Pattern {
  /** Whether any part of the text matches. Throws `MatchTooLong` if the worst case takes too many steps. */
  test(text: string): boolean;
  /** The matches from left to right, as Go's `FindAllString` returns them; `limit` below zero means all. */
  findAll(text: string, limit?: number): string[];
  /** Steps of a match in the worst case: characters times instructions. */
  stepsFor(text: string): number;
  /** Bytes of the DFA that the engine has cached. */
  heldBytes(): number;
}

/** RE2 itself accepts 1,400,000. Compiling 20,000 takes about 50 ms, which blocks the event loop. */
const maxInstructions = 20_000;
/** Limit on the steps of a match in the worst case. A step takes about 20 ns. */
const maxSteps = 10_000_000;

/** A text is too long for an expression. */
class MatchTooLong extends Error {
  constructor(characters: number) {
    super(`the text of ${characters} characters is too long for the regular expression`);
    this.name = 'MatchTooLong';
  }
}

/** Users can put any expression into an object, so the size of each and of the cache is limited (ADR 0065). */
const cache = new PatternCache(compiled);

/** Compiles an expression. Throws an error with Go's message where RE2 refuses it, such as for lookaheads. */
export function compilePattern(expression: string): Re2Pattern {
  return cache.get(expression);
}

/** Matches the patterns of schemas. Nothing matches an expression that RE2 refuses. */
export const patternMatcher: PatternMatcher = {
  matchesPattern(expression, text) {
    try {
      return compilePattern(expression).test(text);
    } catch (error) {
      return error instanceof MatchTooLong ? undefined : false;
    }
  },
};

function compiled(expression: string): Re2Pattern {
  const isLarge = expression.length > maxInstructions || expressionSize(expression) > maxInstructions;
  if (isLarge) throw new Error('error parsing regexp: expression too large');
  const engine = RE2JS.compile(expression);
  const stepsFor = (text: string) => text.length * engine.programSize();
  const requireShort = (text: string): void => {
    if (stepsFor(text) > maxSteps) throw new MatchTooLong(text.length);
  };
  return {
    test: (text) => {
      requireShort(text);
      return engine.test(text);
    },
    findAll: (text, limit = -1) => {
      requireShort(text);
      return findAll(engine, text, limit);
    },
    stepsFor,
    heldBytes: () => heldBytes(engine),
  };
}

function heldBytes({ re2Input }: RE2JS): number {
  const automaton = re2Input.lazyDFA;
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget;
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
