import type { ServedKind } from '../kinds/served-kind.ts';

/** What discovery says about a kind. */
export type DiscoveredKind = Pick<
  ServedKind,
  | 'group'
  | 'version'
  | 'kind'
  | 'plural'
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'namespaced'
  | 'verbs'
  | 'subresources'
  | 'isCustom'
  | 'storedAs'
>;

interface DiscoveredVersion<K> {
  readonly version: string;
  readonly kinds: readonly K[];
}

export interface ServedGroup<K = ServedKind> {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly DiscoveredVersion<K>[];
}

/** Groups in the order in which kinds first name them, versions by preference, resources by name. */
export function groupsOf<K extends DiscoveredKind>(kinds: readonly K[]): readonly ServedGroup<K>[] {
  const groups = new Map<string, Map<string, K[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, K[]>();
    groups.set(kind.group, versions);
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .map(([version, served]) => ({ version, kinds: served.toSorted(byPlural) }))
      .sort((a, b) => compareVersions(a.version, b.version)),
  }));
}

const byPlural = (a: DiscoveredKind, b: DiscoveredKind) => (a.plural < b.plural ? -1 : 1);

const versionShape = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stability = ['alpha', 'beta', undefined];

/** Kubernetes' version priority: stable before beta before alpha, then the highest; other names last. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : Number(a > b);
  const different = left.findIndex((part, index) => part !== right[index]);
  return different < 0 ? 0 : (right[different] ?? 0) - (left[different] ?? 0);
}

function rank(version: string): readonly number[] | undefined {
  const found = versionShape.exec(version);
  if (!found) return undefined;
  const [, major, level, minor] = found;
  return [stability.indexOf(level), Number(major), Number(minor ?? 0)];
}
