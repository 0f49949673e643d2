import type { LogFields } from '@karpenter/core/ports';

// The first lines of a minute are written, so that a log shows which objects are affected; of the others the
// minute's last one is, with their number.
const first = 5;
const window = 60_000;

// More different errors than this within a minute are not summarized but written.
const capacity = 1_000;

/** Fields that differ between reconciles of equal outcome. */
const identity = new Set(['NodeClaim', 'Node', 'Pod', 'name', 'namespace', 'reconcileID']);

interface Repeats {
  readonly until: number;
  count: number;
  last: LogFields;
}

/**
 * Counts error lines that say the same about different objects or attempts. Without capacity anywhere each
 * of hundreds of NodeClaims fails with the same sentence every few seconds.
 */
export class RepeatedLines {
  readonly #now: () => number;
  /** In order of their end. */
  readonly #repeats = new Map<string, Repeats>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether to write the line now. The others are part of a summary. */
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

// Names of objects, instance types, zones and requests have digits; what went wrong has none.
const words = /[^\s:,;()"]+/g;
const comparedLength = 300;

function keyOf(line: LogFields): string {
  const same = Object.entries(line).filter(([name]) => !identity.has(name) && name !== 'time');
  return JSON.stringify(same).replaceAll(words, withoutIdentity).slice(0, comparedLength);
}

function withoutIdentity(word: string): string {
  return /\d/.test(word) ? '#' : word;
}
