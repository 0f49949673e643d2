import type { Decision } from '@karpenter/core/decisions';
import type { DecisionsDelta, PageHello, RowsDelta, StreamStatus } from '@karpenter/core/page-api';
import { type ClusterCost, costOf } from './cluster-cost.ts';
import { ClusterRows } from './cluster-rows.ts';
import { CostHistory } from './cost-history.ts';

/** What the parts of the page subscribe to. */
export type StoreTopic = 'rows' | 'decisions' | 'connection' | 'history';

/** `connecting` until the first rows; `lost` from an error until the next rows. */
export type ConnectionState = 'connecting' | 'live' | 'lost';

const topics: readonly StoreTopic[] = ['rows', 'decisions', 'connection', 'history'];
const maxDecisions = 2_000;

/**
 * The state of the cluster outside React. Parts of the page subscribe to a topic and read what they need; however
 * many deltas arrive, subscribers hear of them when `later` runs.
 */
export class ClusterStore {
  readonly rows = new ClusterRows();
  readonly history = new CostHistory();
  hello: PageHello | undefined;
  /** Added to the clock of this machine, it is the clock of the server. */
  clockOffset = 0;
  status: StreamStatus | undefined;
  decisions: readonly Decision[] = [];
  decisionsUnavailable: string | undefined;
  connection: ConnectionState = 'connecting';
  cost: ClusterCost = costOf([]);
  readonly #versions = new Map<StoreTopic, number>();
  readonly #listeners = new Map<StoreTopic, Set<() => void>>(topics.map((topic) => [topic, new Set()]));
  readonly #changed = new Set<StoreTopic>();
  readonly #later: (flush: () => void) => void;

  /** `later` runs its argument soon; calls before that add to the same run. */
  constructor(later: (flush: () => void) => void) {
    this.#later = later;
  }

  applyHello(hello: PageHello, now: number): void {
    this.hello = hello;
    this.clockOffset = hello.now - now;
    this.#touch('connection');
  }

  applyRows(delta: RowsDelta): void {
    this.rows.apply(delta);
    if (this.connection !== 'live') {
      this.connection = 'live';
      this.#touch('connection');
    }
    this.#touch('rows');
  }

  applyDecisions({ isReset, decisions, unavailable }: DecisionsDelta): void {
    const all = isReset ? decisions : [...this.decisions, ...decisions];
    // A decision that is repeated comes again under its id, and keeps its place.
    const byId = new Map(all.map((decision) => [decision.id, decision]));
    this.decisions = [...byId.values()].slice(-maxDecisions);
    this.decisionsUnavailable = unavailable;
    this.#touch('decisions');
  }

  applyStatus(status: StreamStatus): void {
    this.status = status;
    this.#touch('connection');
  }

  /** Adds the cost of now to the history; nothing while the cluster is not known. */
  sampleCost(at: number): void {
    if (this.connection !== 'live' || this.status?.isSynced === false) return;
    this.history.add(at, this.cost);
    this.#touch('history');
  }

  lose(): void {
    if (this.connection === 'live') this.connection = 'lost';
    this.#touch('connection');
  }

  /** Rises with every change of the topic that subscribers have heard of. */
  version(topic: StoreTopic): number {
    return this.#versions.get(topic) ?? 0;
  }

  subscribe(topic: StoreTopic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic);
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  #touch(topic: StoreTopic): void {
    if (this.#changed.size === 0) this.#later(() => this.#flush());
    this.#changed.add(topic);
  }

  #flush(): void {
    if (this.#changed.has('rows')) this.cost = costOf(this.rows.nodes.values());
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const topic of changed) this.#versions.set(topic, this.version(topic) + 1);
    for (const topic of changed) for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}
