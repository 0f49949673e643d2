/** What changed in the rows since a consumer last looked. The map redraws only this. */
export class StoreChanges {
  /** Everything may have changed. */
  isReset = true;
  /** Ids of nodes that were added, changed or removed. */
  readonly nodes = new Set<string>();
  /** Names of nodes whose pods changed. */
  readonly podsOf = new Set<string>();
  isPendingChanged = false;
  /** Uids of pods that were bound to a node. */
  readonly bound = new Set<string>();

  get isEmpty(): boolean {
    return !this.isReset && this.nodes.size === 0 && this.podsOf.size === 0 && !this.isPendingChanged;
  }

  clear(): void {
    this.isReset = false;
    this.isPendingChanged = false;
    for (const set of [this.nodes, this.podsOf, this.bound]) set.clear();
  }
}
