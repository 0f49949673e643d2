import type { Decision, DecisionClusters, ReplayMaterial } from '@karpenter/core/decisions';
import { gzippedDecision } from './gzipped-decision.ts';

type Content = () => Promise<Uint8Array>;

/**
 * The clusters of the last decisions, in memory. They refer to objects of the caches and are serialized only when
 * they are read: that takes half a second of CPU time for 1,000 nodes, and most are never read (ADR 0049).
 */
export class MemoryClusters implements DecisionClusters {
  readonly #limit: number;
  readonly #contents = new Map<string, Content>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isOn(): boolean {
    return this.#limit > 0;
  }

  keep(decision: Decision, material: ReplayMaterial): void {
    this.#contents.set(decision.id, () => this.#gzipped(decision, material));
    const [oldest] = this.#contents.keys();
    if (this.#contents.size > this.#limit && oldest !== undefined) this.#contents.delete(oldest);
  }

  has(id: string): boolean {
    return this.#contents.has(id);
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    return this.#contents.get(id)?.();
  }

  /** Replaces the cluster by its bytes, because it keeps objects alive that the caches have replaced since. */
  #gzipped(decision: Decision, material: ReplayMaterial): Promise<Uint8Array> {
    const bytes = gzippedDecision(decision, material);
    if (this.has(decision.id)) this.#contents.set(decision.id, () => bytes);
    return bytes;
  }
}
