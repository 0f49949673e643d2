import type { Decision, DecisionKind } from './decision.ts';
import { decisionBounds } from './decision-bounds.ts';
import { type DecisionIdOptions, DecisionIds } from './decision-ids.ts';
import type {
  DecisionClusters,
  DecisionDraft,
  DecisionRecorder,
  ReplayMaterial,
} from './decision-recorder.ts';

export const decisionKinds = [
  'plan',
  'launch',
  'disruption',
  'refusal',
  'notice',
] as const satisfies readonly DecisionKind[];

export interface DecisionLogOptions extends DecisionIdOptions {
  /** How many decisions are kept; 0 keeps none. */
  readonly size: number;
  /** How many characters of JSON are kept; defaults to `decisionBounds.logLength`. */
  readonly length?: number;
  readonly clusters: DecisionClusters;
}

export interface DecisionQuery {
  /** Only decisions after the one with this id, which need not be kept. */
  readonly since?: string;
  readonly kind?: DecisionKind;
  readonly limit?: number;
}

/** Called with each new decision, and again when the count of its repeats has doubled. */
export type DecisionListener = (decision: Decision) => void;

/** Without what changes later. */
type WrittenDecision = Omit<Decision, 'isReplayable' | 'repeats' | 'lastAt'>;

interface Entry {
  readonly kind: DecisionKind;
  /** JSON of a `WrittenDecision`: a quarter of the memory that the object takes. */
  readonly text: string;
  repeats: number;
  lastAt: number;
}

/** The decisions of one kind, the oldest first. */
class KindEntries {
  readonly entries = new Map<string, Entry>();
  length = 0;

  set(id: string, entry: Entry): void {
    this.delete(id);
    this.entries.set(id, entry);
    this.length += entry.text.length;
  }

  delete(id: string): void {
    this.length -= this.entries.get(id)?.text.length ?? 0;
    this.entries.delete(id);
  }

  deleteOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}

/**
 * The last decisions, bounded in number and length. When it is full, the kind that takes most room loses its
 * oldest decision, so that a thousand refusals do not push out the plans.
 */
export class DecisionLog implements DecisionRecorder {
  readonly #options: DecisionLogOptions;
  readonly #ids: DecisionIds;
  readonly #kinds = new Map<DecisionKind, KindEntries>();
  readonly #listeners = new Set<DecisionListener>();

  constructor(options: DecisionLogOptions) {
    this.#options = options;
    this.#ids = new DecisionIds(options);
  }

  get isOn(): boolean {
    return this.#options.size > 0;
  }

  get keepsClusters(): boolean {
    return this.isOn && this.#options.clusters.isOn;
  }

  record(draft: DecisionDraft, material?: ReplayMaterial): string {
    const { id, at } = this.#ids.next();
    if (!this.isOn) return id;
    // The order of fields is that of the type, which is also the order of a file and of the endpoint.
    const { kind, summary, ...facts } = draft;
    const written = { id, at, kind, summary, ...facts } as WrittenDecision;
    this.#add(written, { repeats: 0, lastAt: at });
    if (material !== undefined && this.keepsClusters)
      this.#options.clusters.keep({ ...written, isReplayable: true } as Decision, material);
    this.#notify(id);
    return id;
  }

  repeat(id: string): boolean {
    const entry = this.#entryOf(id);
    if (entry === undefined) return false;
    entry.repeats += 1;
    entry.lastAt = this.#options.now();
    // Powers of two: a file that is only appended to need not hold every repeat.
    if (Number.isInteger(Math.log2(entry.repeats))) this.#notify(id);
    return true;
  }

  /** Takes decisions of an earlier process, the oldest first; a later one with the same id replaces the earlier. */
  restore(decisions: readonly Decision[]): void {
    if (!this.isOn) return;
    for (const { isReplayable: _, repeats = 0, lastAt, ...written } of decisions)
      this.#add(written as WrittenDecision, { repeats, lastAt: lastAt ?? written.at });
  }

  get(id: string): Decision | undefined {
    const entry = this.#entryOf(id);
    if (entry === undefined) return undefined;
    const { text, repeats, lastAt } = entry;
    const isReplayable = this.#options.clusters.has(id);
    return { ...JSON.parse(text), isReplayable, ...(repeats > 0 && { repeats, lastAt }) };
  }

  /** Ids of matching decisions, the newest first. */
  ids({ since = '', kind, limit = Number.POSITIVE_INFINITY }: DecisionQuery = {}): readonly string[] {
    const kinds = [...this.#kinds].filter(([each]) => kind === undefined || each === kind);
    const found = kinds.flatMap(([, { entries }]) => [...entries.keys()].filter((id) => id > since));
    return found.sort().reverse().slice(0, limit);
  }

  /** The newest first. */
  list(query: DecisionQuery = {}): readonly Decision[] {
    return this.ids(query).flatMap((id) => this.get(id) ?? []);
  }

  /** The file of the cluster that a decision was made from, compressed with gzip; undefined if it is not kept. */
  cluster(id: string): Promise<Uint8Array | undefined> {
    return this.#options.clusters.read(id);
  }

  /** Calls the listener until the returned function is called. */
  watch(listener: DecisionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(written: WrittenDecision, counts: Pick<Entry, 'repeats' | 'lastAt'>): void {
    const { id, kind } = written;
    const entries = this.#kinds.get(kind) ?? new KindEntries();
    this.#kinds.set(kind, entries);
    entries.set(id, { kind, text: JSON.stringify(written), ...counts });
    this.#evict();
  }

  #evict(): void {
    const { size, length = decisionBounds.logLength } = this.#options;
    const kinds = [...this.#kinds.values()];
    while (sumOf(kinds, ({ entries }) => entries.size) > size)
      largest(kinds, ({ entries }) => entries.size)?.deleteOldest();
    while (sumOf(kinds, (kind) => kind.length) > length)
      largest(kinds, (kind) => kind.length)?.deleteOldest();
  }

  #notify(id: string): void {
    if (this.#listeners.size === 0) return;
    const decision = this.get(id);
    if (decision !== undefined) for (const listener of this.#listeners) listener(decision);
  }

  #entryOf(id: string): Entry | undefined {
    for (const { entries } of this.#kinds.values()) {
      const entry = entries.get(id);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

function sumOf(kinds: readonly KindEntries[], measure: (kind: KindEntries) => number): number {
  return kinds.reduce((sum, kind) => sum + measure(kind), 0);
}

function largest(
  kinds: readonly KindEntries[],
  measure: (kind: KindEntries) => number,
): KindEntries | undefined {
  return kinds.toSorted((a, b) => measure(b) - measure(a))[0];
}
