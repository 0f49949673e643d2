import type { Re2Pattern } from './pattern.ts';

const maxPatterns = 1_000;
/** The lazily built DFA of one expression grows to up to 8 MB, depending on the texts it has matched. */
const maxBytes = 64 * 1024 * 1024;
/** Uses between two checks of the total size, because summing it over all patterns costs as much as some matches. */
const usesPerCount = 1_000;

/** LRU cache of compiled expressions, cleared when their automata exceed a total size. */
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
    if (this.#patterns.size > maxPatterns && oldest !== undefined) this.#patterns.delete(oldest);
    this.#uses += 1;
    if (this.#uses % usesPerCount === 0) this.#limitBytes();
    return pattern;
  }

  #limitBytes(): void {
    let held = 0;
    for (const pattern of this.#patterns.values()) held += pattern.heldBytes();
    if (held > maxBytes) this.#patterns.clear();
  }
}
