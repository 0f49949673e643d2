import { type CapturedCluster, savedClusterKind, savedClusterVersion } from './saved-cluster.ts';
import { savedObject } from './saved-object.ts';

/** The file as JSON, one line. The same cluster gives the same bytes, also after it was loaded. */
export function savedClusterText({ at, planning, instanceTypes, facts, objects }: CapturedCluster): string {
  const lists = objects
    .filter(({ items }) => items.length > 0)
    .map(({ apiVersion, kind, items }) => ({ apiVersion, kind, items: items.map(savedObject) }));
  const saved = {
    apiVersion: savedClusterVersion,
    kind: savedClusterKind,
    at,
    planning,
    instanceTypes,
    facts,
    objects: lists,
  };
  return `${JSON.stringify(saved)}\n`;
}
