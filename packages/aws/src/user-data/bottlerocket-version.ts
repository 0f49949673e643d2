import type { AmiSelectorTerm, AmiStatus } from '../node-class/index.ts';

/** First Bottlerocket release whose `ephemeral-storage bind` needs no list of directories. */
const firstWithoutDirectories = [1, 46, 0] as const;

/** Whether a release binds all directories by itself. `latest` counts as new, an unknown version as old. */
export function bindsAllDirectories(version: string | undefined): boolean {
  if (version === 'latest') return true;
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (numbers === undefined) return false;
  const different = firstWithoutDirectories.findIndex((wanted, index) => numbers[index] !== wanted);
  return different < 0 || (numbers[different] ?? 0) > (firstWithoutDirectories[different] ?? 0);
}

/**
 * Returns the Bottlerocket release of the nodes, from the
 * alias, else from names in the terms or of resolved AMIs.
 */
export function bottlerocketVersion(
  terms: readonly AmiSelectorTerm[],
  amis: readonly AmiStatus[],
): string | undefined {
  const alias = terms.find((term) => term.alias !== undefined)?.alias;
  if (alias !== undefined) return alias.slice(alias.indexOf('@') + 1);
  const named = terms.map(({ name }) => versionInName(name));
  const ids = new Set(terms.map(({ id }) => id));
  const selected = amis.filter(({ id }) => ids.has(id)).map(({ name }) => versionInName(name));
  const resolved = amis.filter(({ name }) => name?.includes('bottlerocket') === true);
  return [...named, ...selected, ...resolved.map(({ name }) => versionInName(name))].find(
    (version) => version !== undefined,
  );
}

/** Extracts the version: `bottlerocket-aws-k8s-1.35-x86_64-v1.50.0-abcdef12` gives `v1.50.0`. */
function versionInName(name: string | undefined): string | undefined {
  return name?.split('-').find((piece) => piece.startsWith('v') && piece.includes('.'));
}
