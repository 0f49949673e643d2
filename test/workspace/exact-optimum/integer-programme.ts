import loadHighs from 'highs';
import type { Machine, PodSize, SmallBatch } from './small-batch.ts';

/** A machine with as many pods of each size as it is given. */
interface Filling {
  readonly counts: readonly number[];
  readonly price: number;
}

interface Solution {
  readonly Status: string;
  readonly ObjectiveValue: number;
  /** Of a linear programme, with the marginal cost of each row. */
  readonly Rows: readonly { readonly Dual?: number }[];
}

interface Solver {
  solve(problem: string, options: Readonly<Record<string, unknown>>): Solution;
}

// The package declares the types of a CommonJS module, but what `import` gives is an ES module.
const load = loadHighs as unknown as () => Promise<Solver>;
const highs = await load();

/** What the nodes of a batch cost. */
interface NodeCosts {
  /** What each node costs on top of its instance. */
  readonly besides: number;
  /** The cost of nodes that hold the batch. */
  readonly known: number;
}

/**
 * The lowest cost of nodes for a batch: an integer programme over all fillings, which shares no code with the
 * planner. Its linear programme says how much more than the bound a cover costs at least if it has a given
 * filling; fillings that would take it above the known cost are left out, because the programme takes up to a
 * minute with all of them.
 */
export function lowestCost({ sizes, machines }: SmallBatch, { besides, known }: NodeCosts): number {
  const fillings = cheapestFillings(machines, sizes).map(({ counts, price }) => ({
    counts,
    price: price + besides,
  }));
  const { ObjectiveValue: bound, Rows } = solved(programme(sizes, fillings, false), {});
  if (known <= bound * (1 + gap)) return bound;
  const worth = Rows.map(({ Dual = 0 }) => Dual);
  const surplus = ({ counts, price }: Filling) =>
    counts.reduce((sum, count, size) => sum - count * (worth[size] ?? 0), price);
  const useful = fillings.filter((filling) => bound + surplus(filling) <= known * slack);
  return solved(programme(sizes, useful, true), { mip_rel_gap: gap }).ObjectiveValue;
}

/** How far above the lowest cost a solution may be, as a part of it. */
const gap = 5e-4;
/** Fillings of covers that cost a little more than the known one stay, so that rounding removes none. */
const slack = 1 + 1e-6;

/** Throws if there is no solution, also where the known cost is too low for any cover. */
function solved(problem: string, options: Readonly<Record<string, unknown>>): Solution {
  const solution = highs.solve(problem, { ...options, output_flag: false });
  if (solution.Status !== 'Optimal') throw new Error(`the programme ended as ${solution.Status}`);
  return solution;
}

/** All pods are covered at the lowest cost, in the format of CPLEX. */
function programme(sizes: readonly PodSize[], fillings: readonly Filling[], isInteger: boolean): string {
  const cost = fillings.map(({ price }, index) => `${price.toFixed(9)} x${index}`);
  const rows = sizes.map(({ count }, size) => {
    const terms = fillings.flatMap(({ counts }, index) =>
      (counts[size] ?? 0) > 0 ? [`${counts[size]} x${index}`] : [],
    );
    return `r${size}: ${terms.join(' + ')} >= ${count}`;
  });
  const names = fillings.map((_, index) => `x${index}`).join(' ');
  return ['Minimize', `cost: ${cost.join(' + ')}`, 'Subject To', ...rows]
    .concat(isInteger ? ['General', names, 'End'] : ['End'])
    .join('\n');
}

/** All fillings of all machines, without those for which another has as many pods of each size and costs no more. */
function cheapestFillings(machines: readonly Machine[], sizes: readonly PodSize[]): readonly Filling[] {
  const cheapest = new Map<string, Filling>();
  for (const machine of [...machines].sort((a, b) => a.price - b.price)) {
    for (const counts of fullFillings(machine, sizes)) {
      const name = counts.join();
      if (!cheapest.has(name)) cheapest.set(name, { counts, price: machine.price });
    }
  }
  const kept: Filling[] = [];
  for (const filling of cheapest.values()) {
    const isDominated = kept.some(({ counts }) =>
      counts.every((count, size) => count >= (filling.counts[size] ?? 0)),
    );
    if (!isDominated) kept.push(filling);
  }
  return kept;
}

/** The fillings of a machine to which no pod of the batch can be added. */
function fullFillings(machine: Machine, sizes: readonly PodSize[]): readonly (readonly number[])[] {
  const found: number[][] = [];
  const fill = (counts: number[], { cpu, memory, pods }: Pick<Machine, 'cpu' | 'memory' | 'pods'>): void => {
    const size = sizes[counts.length];
    if (size === undefined) {
      const isFull = sizes.every(
        (other, index) =>
          counts[index] === other.count || other.cpu > cpu || other.memory > memory || pods === 0,
      );
      if (isFull && counts.some((count) => count > 0)) found.push(counts);
      return;
    }
    const most = Math.min(size.count, Math.floor(cpu / size.cpu), Math.floor(memory / size.memory), pods);
    for (let count = 0; count <= most; count++)
      fill([...counts, count], {
        cpu: cpu - count * size.cpu,
        memory: memory - count * size.memory,
        pods: pods - count,
      });
  };
  fill([], machine);
  return found;
}
