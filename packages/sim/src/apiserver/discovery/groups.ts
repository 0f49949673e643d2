import type { ServedKind } from '../kinds/served-kind.ts';

interface DiscoveredVersion {
  readonly version: string;
  readonly kinds: readonly ServedKind[];
}

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly DiscoveredVersion[];
}

/** Groups in the order in which kinds first name them, versions by preference, resources by name. */
export function groupsOf(kinds: readonly ServedKind[]): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedKind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, ServedKind[]>();
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

const byPlural = (a: ServedKind, b: ServedKind) => (a.plural < b.plural ? -1 : 1);

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
