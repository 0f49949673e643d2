import type { Decision, DecisionClusters, ReplayMaterial } from '@karpenter/core/decisions';
import { gzippedDecision } from './gzipped-decision.ts';

type Content = () => Promise<Uint8Array>;

/**
 * The clusters of the last decisions, in memory. They refer to the objects of the caches and are written as text
 * only when somebody reads them: nobody reads most of them.
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

  /** From now on the bytes stand for the cluster, which may hold much that the caches have replaced. */
  #gzipped(decision: Decision, material: ReplayMaterial): Promise<Uint8Array> {
    const bytes = gzippedDecision(decision, material);
    if (this.has(decision.id)) this.#contents.set(decision.id, () => bytes);
    return bytes;
  }
}
