import { maxListedNames } from '../api/index.ts';

/** Shortens a list of names for logs: `a, b, c, d, e and 2 other(s)`. */
export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, maxListedNames).join(', ');
  const others = names.length - maxListedNames;
  return others > 0 ? `${shown} and ${others} other(s)` : shown;
}
