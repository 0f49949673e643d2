import loadHighs from 'highs';
import type { Machine, PodSize, SmallBatch } from './small-batch.ts';

/** A machine with as many pods of each size as it is given. */
interface Filling {
  readonly counts: readonly number[];
  readonly price: number;
}

interface Solver {
  solve(
    problem: string,
    options: Readonly<Record<string, unknown>>,
  ): { readonly Status: string; readonly ObjectiveValue: number };
}

// The package declares the types of a CommonJS module, but what `import` gives is an ES module.
const load = loadHighs as unknown as () => Promise<Solver>;
const highs = await load();

/**
 * The lowest cost of nodes for a batch, where each node costs `besides` on top of its instance. An integer
 * programme over all fillings, which shares no code with the planner.
 */
export function lowestCost({ sizes, machines }: SmallBatch, besides: number): number {
  const fillings = cheapestFillings(machines, sizes);
  const cost = fillings.map(({ price }, index) => `${(price + besides).toFixed(9)} x${index}`);
  const rows = sizes.map(({ count }, size) => {
    const terms = fillings.flatMap(({ counts }, index) =>
      (counts[size] ?? 0) > 0 ? [`${counts[size]} x${index}`] : [],
    );
    return `r${size}: ${terms.join(' + ')} >= ${count}`;
  });
  const problem = [
    'Minimize',
    `cost: ${cost.join(' + ')}`,
    'Subject To',
    ...rows,
    'General',
    fillings.map((_, index) => `x${index}`).join(' '),
    'End',
  ].join('\n');
  const { Status, ObjectiveValue } = highs.solve(problem, { mip_rel_gap: 5e-4, output_flag: false });
  if (Status !== 'Optimal') throw new Error(`the integer programme ended as ${Status}`);
  return ObjectiveValue;
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
