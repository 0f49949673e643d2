import { annotationKeys, type NodeClaim } from '../api/index.ts';
import type { OwnerReference } from '../values/index.ts';

/** What is read of a ResourceSlice: part of a pool of devices that a driver offers. */
export interface ResourceSlice {
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly OwnerReference[] };
  readonly spec: {
    readonly driver: string;
    readonly pool: {
      readonly name: string;
      readonly generation: number;
      readonly resourceSliceCount: number;
    };
  };
}

/** The drivers of the devices that the pods of a claim asked for. */
export function requestedDrivers({ metadata }: Pick<NodeClaim, 'metadata'>): readonly string[] {
  const text = metadata.annotations?.[annotationKeys.requestedDraDrivers] ?? '';
  return text
    .split(',')
    .map((driver) => driver.trim())
    .filter((driver) => driver !== '');
}

/** The first of the drivers that has no complete pool on the node yet. */
export function unpublishedDriver(
  drivers: readonly string[],
  nodeName: string,
  slices: readonly ResourceSlice[],
): string | undefined {
  const own = slices.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'Node' && name === nodeName),
  );
  return drivers.find((driver) => !hasCompletePool(own.filter(({ spec }) => spec.driver === driver)));
}

/** A pool that is being published anew is judged by its newest generation alone. */
function hasCompletePool(slices: readonly ResourceSlice[]): boolean {
  return slices.some(({ spec: { pool } }) => {
    const ofPool = slices.filter(({ spec }) => spec.pool.name === pool.name);
    const newest = Math.max(...ofPool.map(({ spec }) => spec.pool.generation));
    const current = ofPool.filter(({ spec }) => spec.pool.generation === newest);
    return pool.generation === newest && current.length === pool.resourceSliceCount;
  });
}
