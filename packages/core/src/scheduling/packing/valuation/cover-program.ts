/** Smaller amounts count as zero; rows are scaled to about one. */
const tolerance = 1e-9;

/**
 * The linear programme "cover every row at the lowest cost with fractions of columns", solved by the primal
 * simplex method with an explicit inverse, because there are few rows (tens) while columns are added over
 * time. Row `i` can always be covered alone at `alone[i]`, so there is a solution from the start; that price
 * also bounds its dual.
 */
export class CoverProgram {
  readonly rows: number;
  readonly #alone: Float64Array;
  readonly #demand: Float64Array;
  /** The columns without their zeros: of column `i` the entries `#start[i] … #start[i + 1])`. */
  readonly #start: number[] = [0];
  #rowOf = new Uint16Array(0);
  #entries = new Float64Array(0);
  readonly #costs: number[] = [];
  /** The column in each position of the basis, −1 where it is not a column. */
  readonly #basis: Int32Array;
  readonly #inverse: Float64Array;
  readonly #amount: Float64Array;
  readonly #direction: Float64Array;
  /** The marginal cost of each row. */
  readonly duals: Float64Array;
  /** Whether the last call of `solve` ended because no pivot lowers the cost. */
  isSolved = false;

  constructor(alone: Float64Array) {
    const rows = alone.length;
    this.rows = rows;
    this.#alone = alone;
    this.#demand = new Float64Array(rows).fill(1);
    this.#basis = new Int32Array(rows);
    this.#inverse = new Float64Array(rows * rows);
    this.#amount = new Float64Array(rows);
    this.#direction = new Float64Array(rows);
    this.duals = new Float64Array(rows);
    this.restart(this.#demand);
  }

  get columns(): number {
    return this.#costs.length;
  }

  add(cost: number, column: Float64Array): void {
    let at = this.#start.at(-1) ?? 0;
    if (at + this.rows > this.#entries.length) this.#grow();
    for (let row = 0; row < this.rows; row++) {
      const entry = column[row] ?? 0;
      if (entry === 0) continue;
      this.#rowOf[at] = row;
      this.#entries[at++] = entry;
    }
    this.#start.push(at);
    this.#costs.push(cost);
  }

  #grow(): void {
    const length = Math.max(64 * this.rows, this.#entries.length * 2);
    const entries = new Float64Array(length);
    const rowOf = new Uint16Array(length);
    entries.set(this.#entries);
    rowOf.set(this.#rowOf);
    this.#entries = entries;
    this.#rowOf = rowOf;
  }

  /** Resets the solution to covering each row alone, for another demand; columns stay. */
  restart(demand: Float64Array): void {
    this.#demand.set(demand);
    this.#amount.set(demand);
    this.duals.set(this.#alone);
    this.#inverse.fill(0);
    this.#basis.fill(-1);
    for (let row = 0; row < this.rows; row++) this.#inverse[row * this.rows + row] = 1;
  }

  /** Continues to solve for at most this many pivots; returns the cost of the cover. */
  solve(pivots: number): number {
    this.isSolved = false;
    for (let i = 0; i < pivots && !this.isSolved; i++) this.isSolved = !this.#step();
    let cost = 0;
    for (let row = 0; row < this.rows; row++) cost += (this.duals[row] ?? 0) * (this.#demand[row] ?? 0);
    return cost;
  }

  /**
   * Drops columns whose reduced cost exceeds this part of their cost, and renumbers the others. Calls `keep` with the
   * old number of each column that stays, in order.
   */
  dropColumns(surplus: number, keep: (column: number) => void): void {
    let kept = 0;
    const now = new Int32Array(this.#costs.length).fill(-1);
    for (let column = 0; column < now.length; column++) {
      const cost = this.#costs[column] ?? 0;
      if (this.#reduced(column) > surplus * cost && !this.#basis.includes(column)) continue;
      now[column] = kept;
      const to = this.#start[kept] ?? 0;
      const from = this.#start[column] ?? 0;
      const end = this.#start[column + 1] ?? 0;
      this.#entries.copyWithin(to, from, end);
      this.#rowOf.copyWithin(to, from, end);
      this.#costs[kept++] = cost;
      this.#start[kept] = to + end - from;
      keep(column);
    }
    for (let i = 0; i < this.rows; i++) this.#basis[i] = now[this.#basis[i] ?? -1] ?? -1;
    this.#costs.length = kept;
    this.#start.length = kept + 1;
  }

  /** How much of each column the cover takes. */
  each(report: (column: number, amount: number) => void): void {
    for (let i = 0; i < this.rows; i++) {
      const column = this.#basis[i] ?? -1;
      if (column >= 0) report(column, this.#amount[i] ?? 0);
    }
  }

  /** One pivot; returns whether there was one. */
  #step(): boolean {
    const entering = this.#mostSaving();
    if (entering === undefined) return false;
    this.#express(entering);
    const leaving = this.#firstUsedUp();
    if (leaving < 0) return false;
    this.#pivot(entering, leaving);
    return true;
  }

  /** The column or other variable that enters the basis; undefined if none lowers the cost. */
  #mostSaving(): number | undefined {
    let best: number | undefined;
    let bestSaving = -tolerance;
    for (let column = 0; column < this.#costs.length; column++) {
      const cost = this.#costs[column] ?? 0;
      // Saving per price, not per column: otherwise the largest node always enters first.
      const saving = this.#reduced(column) / (cost + tolerance);
      if (saving < bestSaving) {
        best = column;
        bestSaving = saving;
      }
    }
    return best ?? this.#mostSavingRow();
  }

  /**
   * The best variable that is not a column: −1 − row covers a row more than necessary (a surplus variable),
   * −1 − rows − row covers a row alone.
   */
  #mostSavingRow(): number | undefined {
    let best: number | undefined;
    let bestSaving = -tolerance;
    for (let entering = -1; entering >= -2 * this.rows; entering--) {
      const saving = this.#reduced(entering);
      if (saving >= bestSaving) continue;
      best = entering;
      bestSaving = saving;
    }
    return best;
  }

  /** The reduced cost of a column. */
  #reduced(column: number): number {
    const { duals, rows } = this;
    if (column < -rows) return (this.#alone[-1 - rows - column] ?? 0) - (duals[-1 - rows - column] ?? 0);
    if (column < 0) return duals[-1 - column] ?? 0;
    const end = this.#start[column + 1] ?? 0;
    let reduced = this.#costs[column] ?? 0;
    for (let at = this.#start[column] ?? 0; at < end; at++)
      reduced -= (this.#entries[at] ?? 0) * (duals[this.#rowOf[at] ?? 0] ?? 0);
    return reduced;
  }

  /** Expresses the entering column in terms of the basis. */
  #express(entering: number): void {
    const { rows } = this;
    const sign = entering < -rows ? 1 : -1;
    const row = (-1 - entering) % rows;
    for (let i = 0; i < rows; i++)
      this.#direction[i] =
        entering < 0 ? sign * (this.#inverse[i * rows + row] ?? 0) : this.#product(i * rows, entering);
  }

  #product(at: number, column: number): number {
    const end = this.#start[column + 1] ?? 0;
    let sum = 0;
    for (let i = this.#start[column] ?? 0; i < end; i++)
      sum += (this.#inverse[at + (this.#rowOf[i] ?? 0)] ?? 0) * (this.#entries[i] ?? 0);
    return sum;
  }

  /** The ratio test: the position that reaches zero first. Of equal ratios, the largest pivot is the most precise. */
  #firstUsedUp(): number {
    let leaving = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.rows; i++) {
      const step = this.#direction[i] ?? 0;
      if (step <= tolerance) continue;
      const ratio = Math.max(0, this.#amount[i] ?? 0) / step;
      if (ratio < least || (ratio === least && step > (this.#direction[leaving] ?? 0))) {
        least = ratio;
        leaving = i;
      }
    }
    return leaving;
  }

  #pivot(entering: number, leaving: number): void {
    const { rows } = this;
    const pivot = this.#direction[leaving] ?? 1;
    const reduced = this.#reduced(entering);
    const from = leaving * rows;
    for (let row = 0; row < rows; row++) {
      const scaled = (this.#inverse[from + row] ?? 0) / pivot;
      this.#inverse[from + row] = scaled;
      this.duals[row] = (this.duals[row] ?? 0) + reduced * scaled;
    }
    const step = Math.max(0, this.#amount[leaving] ?? 0) / pivot;
    for (let i = 0; i < rows; i++) if (i !== leaving) this.#eliminate(i, from, step);
    this.#amount[leaving] = step;
    this.#basis[leaving] = Math.max(-1, entering);
  }

  #eliminate(position: number, from: number, step: number): void {
    const factor = this.#direction[position] ?? 0;
    if (factor === 0) return;
    this.#amount[position] = (this.#amount[position] ?? 0) - factor * step;
    const to = position * this.rows;
    for (let row = 0; row < this.rows; row++)
      this.#inverse[to + row] = (this.#inverse[to + row] ?? 0) - factor * (this.#inverse[from + row] ?? 0);
  }
}
