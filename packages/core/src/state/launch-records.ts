const nobody: ReadonlySet<string> = new Set();

/** For which pods this process made or chose each NodeClaim. A pod is for one of them: the last it was given to. */
export class LaunchRecords {
  readonly #pods = new Map<string, ReadonlySet<string>>();
  readonly #claimOf = new Map<string, string>();

  /** Another number whenever anything has changed. */
  revision = 0;

  /** Names of those that pods were given to. */
  get claims(): readonly string[] {
    return [...this.#pods.keys()];
  }

  /** Uids; the same set as long as nothing changes. */
  podsOf(claim: string): ReadonlySet<string> | undefined {
    return this.#pods.get(claim);
  }

  claimOf(uid: string): string | undefined {
    return this.#claimOf.get(uid);
  }

  add(claim: string, pods: readonly string[]): void {
    const known = this.#pods.get(claim);
    const news = pods.filter((uid) => !known?.has(uid));
    if (known !== undefined && news.length === 0) return;
    for (const uid of news) this.#move(uid, claim);
    this.#pods.set(claim, new Set([...(known ?? nobody), ...news]));
    this.revision += 1;
  }

  forget(claim: string): void {
    for (const uid of this.#pods.get(claim) ?? nobody) this.#claimOf.delete(uid);
    this.#pods.delete(claim);
    this.revision += 1;
  }

  #move(uid: string, claim: string): void {
    const before = this.#claimOf.get(uid);
    this.#claimOf.set(uid, claim);
    if (before === undefined) return;
    const left = [...(this.#pods.get(before) ?? nobody)].filter((other) => other !== uid);
    this.#pods.set(before, new Set(left));
  }
}
