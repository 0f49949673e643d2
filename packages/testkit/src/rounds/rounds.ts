import { env } from 'node:process';

export interface RoundCounts {
  /** Enough for every kind of behaviour to occur; what `npm test` runs. */
  readonly quick: number;
  /** What `KARPENTER_TEST=all npm test` runs, as CI does. */
  readonly full: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How often a randomized test repeats. KARPENTER_ROUNDS replaces both numbers, for a long run of one file by hand.
 * Throws if the variable is not a positive integer.
 */
export function rounds({ quick, full }: RoundCounts, environment: Environment = env): number {
  const count = integerOf(environment, 'KARPENTER_ROUNDS');
  return count ?? (environment['KARPENTER_TEST'] === 'all' ? full : quick);
}

/** The seeds of the rounds: from 1, or from KARPENTER_FIRST_SEED to try others. */
export function seeds(counts: RoundCounts, environment: Environment = env): readonly number[] {
  const first = integerOf(environment, 'KARPENTER_FIRST_SEED') ?? 1;
  return Array.from({ length: rounds(counts, environment) }, (_, index) => first + index);
}

export interface Batch {
  readonly first: number;
  readonly last: number;
  readonly seeds: readonly number[];
}

/** The seeds in batches of a size, so that a report has a line for each batch instead of one for each seed. */
export function batches(all: readonly number[], size: number): readonly Batch[] {
  const starts = all.flatMap((_, index) => (index % size === 0 ? [index] : []));
  return starts.map((start) => batchOf(all.slice(start, start + size)));
}

function batchOf(part: readonly number[]): Batch {
  return { first: part[0] ?? 0, last: part.at(-1) ?? 0, seeds: part };
}

function integerOf(environment: Environment, variable: string): number | undefined {
  const text = environment[variable];
  if (text === undefined || text === '') return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`${variable} is ${JSON.stringify(text)}, which is not a positive integer`);
}
