import type { InstanceType } from '../ports/index.ts';
import type { SavedInstanceTypes } from './saved-cluster.ts';

type ByPool = ReadonlyMap<string, readonly InstanceType[]>;

/** Keeps a list that several NodePools share once: the catalogue of a region takes some megabytes. */
export function savedInstanceTypes(byPool: ByPool): SavedInstanceTypes {
  const lists = [...new Set(byPool.values())];
  const indexes = new Map(lists.map((list, index) => [list, index]));
  const nodePools = [...byPool].map(([pool, list]) => [pool, indexes.get(list) ?? 0] as const);
  return { lists, nodePools: Object.fromEntries(nodePools) };
}

/** NodePools that shared a list share it again, which plans recognize by identity. */
export function typesOfPools({ lists, nodePools }: SavedInstanceTypes): ByPool {
  return new Map(Object.entries(nodePools).map(([pool, index]) => [pool, lists[index] ?? []]));
}
