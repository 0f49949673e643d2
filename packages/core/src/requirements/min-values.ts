import { BitSet } from './bit-set.ts';
import type { Requirements } from './requirements.ts';
import type { LabelKey } from './vocabulary.ts';

export interface MinValuesShortfall {
  readonly key: LabelKey;
  readonly minValues: number;
  /** How many distinct values the instance types offer together. */
  readonly available: number;
}

export interface MinValuesOutcome {
  /** Length of the shortest prefix of the list that offers enough values for every key; the whole list if none. */
  readonly needed: number;
  /** Keys for which even the whole list does not offer enough, by name; BestEffort lowers their minimum. */
  readonly shortfalls: readonly MinValuesShortfall[];
}

interface Tally {
  readonly key: LabelKey;
  readonly minValues: number;
  seen: BitSet;
}

/**
 * Whether a list of instance types, best first, offers as many distinct values as the requirements ask.
 * A type counts with every value it lists, whether or not the requirements or its offerings still allow it.
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

/** The requirements with the minimum of each failing key lowered to what there is; dropped if there is nothing. */
export function relaxMinValues(
  requirements: Requirements,
  shortfalls: readonly MinValuesShortfall[],
): Requirements {
  return shortfalls.reduce(
    (relaxed, { key, available }) =>
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
