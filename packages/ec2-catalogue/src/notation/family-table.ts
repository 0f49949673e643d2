import { rows, words } from './table.ts';

/** Looks up a family, or the c/m/r line that it belongs to. */
export type FamilyTable<T> = (family: string) => T | undefined;

/** Parses a table with families in the first column and values in the second. */
export function familyTable<T>(table: string, parse: (cell: string) => T): FamilyTable<T> {
  const found = new Map<string, T>();
  for (const [families, cell = ''] of rows(table)) {
    const value = parse(cell);
    for (const family of words(families)) found.set(family, value);
  }
  return (family) => found.get(family) ?? found.get(familyLine(family));
}

/** Whether a set contains a family or its line. */
export function isAmong(families: ReadonlySet<string>, family: string): boolean {
  return families.has(family) || families.has(familyLine(family));
}

/** Returns the line of a family: `6gd` for c6gd, m6gd and r6gd, which differ in memory only. */
export function familyLine(family: string): string {
  return 'cmr'.includes(family.charAt(0)) && isDigit(family.charAt(1)) ? family.slice(1) : family;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
