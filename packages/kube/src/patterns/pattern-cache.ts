import type { Re2Pattern } from './pattern.ts';

const mostPatterns = 1_000;
/** RE2 keeps up to 8 MB for an expression, depending on the texts that it has matched. */
const mostBytes = 64 * 1024 * 1024;
/** Counting what all patterns hold takes as long as some matches. */
const usesPerCount = 1_000;

/** Compiled expressions, of which it forgets the one that was not used for longest. */
export class PatternCache {
  readonly #compile: (expression: string) => Re2Pattern;
  readonly #patterns = new Map<string, Re2Pattern>();
  #uses = 0;

  constructor(compile: (expression: string) => Re2Pattern) {
    this.#compile = compile;
  }

  get(expression: string): Re2Pattern {
    const pattern = this.#patterns.get(expression) ?? this.#compile(expression);
    // Setting it again moves it to the end, where the most recently used one is.
    this.#patterns.delete(expression);
    this.#patterns.set(expression, pattern);
    const [oldest] = this.#patterns.keys();
    if (this.#patterns.size > mostPatterns && oldest !== undefined) this.#patterns.delete(oldest);
    this.#uses += 1;
    if (this.#uses % usesPerCount === 0) this.#limitBytes();
    return pattern;
  }

  #limitBytes(): void {
    let held = 0;
    for (const pattern of this.#patterns.values()) held += pattern.heldBytes();
    if (held > mostBytes) this.#patterns.clear();
  }
}
