import type { PodsExpected } from '../state-event.ts';

const noPods: ReadonlySet<string> = new Set();

/**
 * The pods for which this process created or chose each NodeClaim. A pod belongs to one claim: the last
 * recorded.
 */
export class LaunchRecords {
  readonly #pods = new Map<string, ReadonlySet<string>>();
  readonly #claimOf = new Map<string, string>();

  /** Increases with every change, for use as a cache key. */
  revision = 0;

  /** Names of all NodeClaims with a record. */
  get claims(): readonly string[] {
    return [...this.#pods.keys()];
  }

  facts(): readonly PodsExpected[] {
    return [...this.#pods].map(([nodeClaim, pods]) => ({ type: 'podsExpected', nodeClaim, pods: [...pods] }));
  }

  /** Uids of the pods of a claim. Returns the same set until it changes. */
  podsOf(claim: string): ReadonlySet<string> | undefined {
    return this.#pods.get(claim);
  }

  claimOf(uid: string): string | undefined {
    return this.#claimOf.get(uid);
  }

  add(claim: string, pods: readonly string[]): void {
    const known = this.#pods.get(claim);
    const added = pods.filter((uid) => !known?.has(uid));
    if (known !== undefined && added.length === 0) return;
    for (const uid of added) this.#move(uid, claim);
    this.#pods.set(claim, new Set([...(known ?? noPods), ...added]));
    this.revision += 1;
  }

  /** Pods that belong to another claim, or to none, are left as they are. */
  remove(claim: string, pods: readonly string[]): void {
    const known = this.#pods.get(claim);
    const removed = new Set(pods.filter((uid) => known?.has(uid)));
    if (known === undefined || removed.size === 0) return;
    for (const uid of removed) this.#claimOf.delete(uid);
    this.#pods.set(claim, new Set([...known].filter((uid) => !removed.has(uid))));
    this.revision += 1;
  }

  forget(claim: string): void {
    for (const uid of this.#pods.get(claim) ?? noPods) this.#claimOf.delete(uid);
    this.#pods.delete(claim);
    this.revision += 1;
  }

  #move(uid: string, claim: string): void {
    const before = this.#claimOf.get(uid);
    this.#claimOf.set(uid, claim);
    if (before === undefined) return;
    const left = [...(this.#pods.get(before) ?? noPods)].filter((other) => other !== uid);
    this.#pods.set(before, new Set(left));
  }
}
