/** A priority queue of states by cost, the lowest first; of equal costs the lower state, to be deterministic. */
export class StateHeap {
  readonly #states: number[] = [];
  readonly #costs: number[] = [];

  push(state: number, cost: number): void {
    let at = this.#states.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#goesBefore(state, cost, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#states[at] = state;
    this.#costs[at] = cost;
  }

  /** The state is −1 if there is none. */
  pop(): { readonly state: number; readonly cost: number } {
    const first = { state: this.#states[0] ?? -1, cost: this.#costs[0] ?? 0 };
    const state = this.#states.pop();
    const cost = this.#costs.pop() ?? 0;
    if (state !== undefined && this.#states.length > 0) this.#sink(state, cost);
    return first;
  }

  #sink(state: number, cost: number): void {
    const length = this.#states.length;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < length && this.#goesBefore(this.#states[right] ?? 0, this.#costs[right] ?? 0, child))
        child = right;
      if (this.#goesBefore(state, cost, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#states[at] = state;
    this.#costs[at] = cost;
  }

  #goesBefore(state: number, cost: number, index: number): boolean {
    const difference = cost - (this.#costs[index] ?? 0);
    return difference < 0 || (difference === 0 && state < (this.#states[index] ?? 0));
  }

  #move(from: number, to: number): void {
    this.#states[to] = this.#states[from] ?? 0;
    this.#costs[to] = this.#costs[from] ?? 0;
  }
}
