import { BitSet } from './bit-set.ts';
import type { Requirements } from './requirements.ts';
import type { LabelKey } from './vocabulary.ts';

export interface MinValuesShortfall {
  readonly key: LabelKey;
  readonly minValues: number;
  /** Number of distinct values that the instance types have together. */
  readonly available: number;
}

export interface MinValuesOutcome {
  /**
   * Length of the shortest prefix of the list with enough values for every key; the whole list if there is
   * none.
   */
  readonly needed: number;
  /**
   * Keys for which even the whole list has too few values, sorted; the policy BestEffort lowers their
   * minValues.
   */
  readonly shortfalls: readonly MinValuesShortfall[];
}

interface Tally {
  readonly key: LabelKey;
  readonly minValues: number;
  seen: BitSet;
}

/**
 * Checks whether a list of instance types, best first, has as many distinct values as minValues require. As
 * in Karpenter a type counts with every value it lists, even if the requirements or its offerings exclude it.
 */
export function checkMinValues(requirements: Requirements, types: readonly Requirements[]): MinValuesOutcome {
  const tallies = talliesOf(requirements);
  if (tallies.length === 0) return { needed: 0, shortfalls: [] };
  let short = tallies;
  for (const [i, type] of types.entries()) {
    for (const tally of tallies) count(tally, type);
    short = short.filter(isShort);
    if (short.length === 0) return { needed: i + 1, shortfalls: [] };
  }
  return {
    needed: types.length,
    shortfalls: short.map(({ key, minValues, seen }) => ({ key, minValues, available: seen.size })),
  };
}

export function minValuesText(shortfalls: readonly MinValuesShortfall[]): string {
  const keys = shortfalls.map(({ key }) => key.name).join(' ');
  return `minValues requirement is not met for label(s) (label(s)=[${keys}])`;
}

/** Lowers minValues of each failing key to the number of values there are; removes it if there are none. */
export function relaxMinValues(
  requirements: Requirements,
  shortfalls: readonly MinValuesShortfall[],
): Requirements {
  return shortfalls.reduce(
    (relaxed, { key, available }) =>
      // 0 is not a valid minValues of a NodeClaim.
      relaxed.with(relaxed.get(key).withMinValues(available > 0 ? available : undefined)),
    requirements,
  );
}

function talliesOf(requirements: Requirements): Tally[] {
  return requirements
    .byName()
    .flatMap(({ key, minValues }) =>
      minValues === undefined ? [] : [{ key, minValues, seen: BitSet.empty }],
    );
}

function count(tally: Tally, type: Requirements): void {
  const offered = type.find(tally.key);
  if (offered !== undefined && !offered.complement) tally.seen = tally.seen.or(offered.bits);
}

function isShort({ minValues, seen }: Tally): boolean {
  return seen.size < minValues;
}
