import { capacityBuffers, nodeOverlays, stateSources } from '@karpenter/controllers/cluster';
import { companionKinds } from '@karpenter/controllers/planning';
import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { KindList } from '@karpenter/kube/cache';
import type { Kind } from '@karpenter/kube/client';
import { type ConnectedCluster, listKind } from '../cluster-view/index.ts';
import { ObjectLists } from './object-lists.ts';

export interface LiveReading {
  readonly settings: CoreSettings;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  readonly note: (text: string) => void;
}

/**
 * All objects that plans read, listed once. Throws `missing-permission` for a kind that may not be listed, but only
 * notes it for NodeOverlays and CapacityBuffers: most clusters have none, and their feature gates are off by default.
 */
export async function liveObjects(connection: ConnectedCluster, reading: LiveReading): Promise<ObjectLists> {
  const lists: KindList[] = [];
  for (const kind of requiredKinds(reading)) lists.push(await listKind(connection, kind));
  for (const kind of [nodeOverlays, capacityBuffers])
    lists.push(await listIfAllowed(connection, kind, reading.note));
  const read = new ObjectLists(lists);
  if (read.of(capacityBuffers).length === 0) return read;
  for (const kind of bufferReferenceKinds(reading)) lists.push(await listKind(connection, kind));
  return new ObjectLists(lists);
}

function requiredKinds({ settings, defaultSpread }: LiveReading): readonly Kind[] {
  const { NodeOverlay: _, ...required } = stateSources;
  const featureGates = { ...settings.featureGates, CapacityBuffer: false };
  return [
    ...(Object.values(required) as readonly Kind[]),
    ...companionKinds({ settings: { ...settings, featureGates }, defaultSpread }),
  ];
}

/** What buffers can refer to. Nobody needs the right to list it on a cluster without buffers. */
function bufferReferenceKinds({ settings }: LiveReading): readonly Kind[] {
  return companionKinds({ settings, defaultSpread: [] }).filter(({ kind }) => kind !== capacityBuffers.kind);
}

/** Empty, with a note, if the kind exists and may not be listed. */
export async function listIfAllowed(
  connection: ConnectedCluster,
  kind: Kind,
  note: LiveReading['note'],
): Promise<KindList> {
  try {
    return await listKind(connection, kind);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'missing-permission') throw error;
    note(`${error.message}; planned as if there were none`);
    return { kind, objects: [] };
  }
}
