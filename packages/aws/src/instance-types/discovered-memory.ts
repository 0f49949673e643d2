import type { Log } from '@karpenter/core/ports';
import { compareQuantities, formatQuantity, parseQuantity } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

interface Discovery {
  readonly memory: string;
  readonly expiresAt: Instant;
}

/** Memory that a registered node reported. */
export interface MemoryReport {
  readonly instanceType: string;
  /** Key of the AMIs of its EC2NodeClass: another kernel may report another size. */
  readonly imagesHash: string;
  /** `status.capacity.memory` of the Node. */
  readonly memory: string;
}

/**
 * Actual memory of nodes by instance type and AMIs, which replaces the estimate. Keeps the smallest size
 * reported: nodes of one type differ slightly, and pods that fit the smallest fit all.
 */
export class DiscoveredMemory {
  readonly #now: () => Instant;
  readonly #log: Log | undefined;
  readonly #cached = new Map<string, Discovery>();
  #version = 0;

  constructor(now: () => Instant, log?: Log) {
    this.#now = now;
    this.#log = log;
  }

  /** Increases when a size changes; caches compare it. */
  get version(): number {
    return this.#version;
  }

  get(instanceType: string, imagesHash: string): string | undefined {
    const found = this.#cached.get(keyOf(instanceType, imagesHash));
    return found !== undefined && this.#now() < found.expiresAt ? found.memory : undefined;
  }

  /** Records a report, unless a smaller size is known. Restarts the lifetime of the entry. */
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
    this.#cached.set(keyOf(instanceType, imagesHash), { memory: text, expiresAt });
  }
}

function keyOf(instanceType: string, imagesHash: string): string {
  return `${instanceType} ${imagesHash}`;
}
