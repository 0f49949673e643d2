import type { LogFields } from '@karpenter/core/ports';

// The first lines of a minute are written, so that the log shows which objects are affected. Of the others only the
// last is written, with their number, when the minute is over.
const first = 5;
const window = 60_000;

// Bounds the memory: further different errors within a minute are written without a summary.
const capacity = 1_000;

/** Fields that differ between reconciles that fail with the same error. */
const identity = new Set(['NodeClaim', 'Node', 'Pod', 'name', 'namespace', 'reconcileID']);

interface Repeats {
  readonly until: number;
  count: number;
  last: LogFields;
}

/**
 * Counts error lines that differ only in object or attempt. When no capacity is available anywhere, hundreds of
 * NodeClaims fail with the same error every few seconds.
 */
export class RepeatedLines {
  readonly #now: () => number;
  /** In order of `until`, because all have the same window; `takeSummaries` relies on it. */
  readonly #repeats = new Map<string, Repeats>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether to write the line now; if not, it counts in the next summary. */
  admits(line: LogFields): boolean {
    const key = keyOf(line);
    const known = this.#repeats.get(key);
    if (known === undefined) {
      if (this.#repeats.size < capacity)
        this.#repeats.set(key, { until: this.#now() + window, count: 1, last: line });
      return true;
    }
    known.count += 1;
    known.last = line;
    return known.count <= first;
  }

  /** The summaries of minutes that have ended. Each is the last line with the number of lines left out. */
  takeSummaries(): readonly LogFields[] {
    const now = this.#now();
    const summaries: LogFields[] = [];
    for (const [key, { until, count, last }] of this.#repeats) {
      if (until > now) break;
      this.#repeats.delete(key);
      if (count > first) summaries.push({ ...last, repeated: count - first });
    }
    return summaries;
  }
}

// Words with digits are left out of the key: names of objects, instance types, zones and request ids have digits, the
// text of an error has none.
const words = /[^\s:,;()"]+/g;
const comparedLength = 300;

function keyOf(line: LogFields): string {
  const same = Object.entries(line).filter(([name]) => !identity.has(name) && name !== 'time');
  return JSON.stringify(same).replaceAll(words, withoutIdentity).slice(0, comparedLength);
}

function withoutIdentity(word: string): string {
  return /\d/.test(word) ? '#' : word;
}
