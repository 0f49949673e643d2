import { isVirtualPod, type Snapshot } from '@karpenter/core/scheduling';

/** Separates the uids of real pods from those of the virtual pods that stand for CapacityBuffers. */
export class VirtualPods {
  readonly #uids: ReadonlySet<string>;

  constructor({ pods }: Snapshot) {
    this.#uids = new Set(pods.filter(isVirtualPod).map(({ metadata }) => metadata.uid));
  }

  get count(): number {
    return this.#uids.size;
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  real(uids: readonly string[]): readonly string[] {
    return this.count === 0 ? uids : uids.filter((uid) => !this.has(uid));
  }

  virtual(uids: readonly string[]): readonly string[] {
    return this.count === 0 ? [] : uids.filter((uid) => this.has(uid));
  }
}
