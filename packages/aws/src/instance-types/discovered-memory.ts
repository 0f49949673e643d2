import type { Log } from '@karpenter/core/ports';
import { compareQuantities, formatQuantity, parseQuantity } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

interface Discovery {
  readonly memory: string;
  readonly expiresAt: Instant;
}

/** What a node that has joined reported. */
export interface MemoryReport {
  readonly instanceType: string;
  /** Of the images that its NodeClass resolved to: another kernel may see another size. */
  readonly imagesHash: string;
  /** `status.capacity.memory` of the Node. */
  readonly memory: string;
}

/**
 * The memory that nodes really have, by type and images. The smallest that was seen counts: nodes of a type differ
 * a little, and pods that fit the smallest fit all.
 */
export class DiscoveredMemory {
  readonly #now: () => Instant;
  readonly #log: Log | undefined;
  readonly #known = new Map<string, Discovery>();
  #version = 0;

  constructor(now: () => Instant, log?: Log) {
    this.#now = now;
    this.#log = log;
  }

  /** Another number each time that a size has changed. */
  get version(): number {
    return this.#version;
  }

  get(instanceType: string, imagesHash: string): string | undefined {
    const found = this.#known.get(keyOf(instanceType, imagesHash));
    return found !== undefined && this.#now() < found.expiresAt ? found.memory : undefined;
  }

  /** Keeps the report unless a smaller size is known. */
  report({ instanceType, imagesHash, memory }: MemoryReport): void {
    const known = this.get(instanceType, imagesHash);
    const isLarger =
      known !== undefined && compareQuantities(parseQuantity(memory), parseQuantity(known)) > 0;
    if (isLarger) return;
    const text = formatQuantity(parseQuantity(memory, 'status.capacity.memory'));
    if (text !== known) {
      this.#version += 1;
      this.#log?.debug('updating discovered capacity cache', {
        'instance-type': instanceType,
        'memory-capacity': text,
      });
    }
    const expiresAt = this.#now() + cacheLifetimes.discoveredMemory;
    this.#known.set(keyOf(instanceType, imagesHash), { memory: text, expiresAt });
  }
}

function keyOf(instanceType: string, imagesHash: string): string {
  return `${instanceType} ${imagesHash}`;
}
