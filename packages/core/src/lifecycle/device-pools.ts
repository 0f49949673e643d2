import { annotationKeys, type NodeClaim } from '../api/index.ts';
import type { OwnerReference } from '../values/index.ts';

/** The fields of a ResourceSlice that are read: part of a pool of devices published by a driver. */
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

/** The drivers of the devices that the pods of a claim request, from its annotation. */
export function requestedDrivers({ metadata }: Pick<NodeClaim, 'metadata'>): readonly string[] {
  const text = metadata.annotations?.[annotationKeys.requestedDraDrivers] ?? '';
  return text
    .split(',')
    .map((driver) => driver.trim())
    .filter((driver) => driver !== '');
}

/** The first of the drivers without a complete pool on the node. */
export function unpublishedDriver(
  drivers: readonly string[],
  nodeName: string,
  slices: readonly ResourceSlice[],
): string | undefined {
  const ofNode = slices.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'Node' && name === nodeName),
  );
  return drivers.find((driver) => !hasCompletePool(ofNode.filter(({ spec }) => spec.driver === driver)));
}

/** Only the newest generation of a pool counts: a driver replaces the slices of the older ones. */
function hasCompletePool(slices: readonly ResourceSlice[]): boolean {
  return slices.some(({ spec: { pool } }) => {
    const ofPool = slices.filter(({ spec }) => spec.pool.name === pool.name);
    const newest = Math.max(...ofPool.map(({ spec }) => spec.pool.generation));
    const current = ofPool.filter(({ spec }) => spec.pool.generation === newest);
    return pool.generation === newest && current.length === pool.resourceSliceCount;
  });
}
