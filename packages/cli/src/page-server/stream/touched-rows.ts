/** Keys of rows that changed or went away, for one client or for all. */
export class TouchedRows {
  readonly nodes = new Set<string>();
  readonly pods = new Set<string>();
  readonly pools = new Set<string>();

  get size(): number {
    return this.nodes.size + this.pods.size + this.pools.size;
  }

  add(other: TouchedRows): void {
    for (const key of other.nodes) this.nodes.add(key);
    for (const key of other.pods) this.pods.add(key);
    for (const key of other.pools) this.pools.add(key);
  }
}
