import { nodePools, stateSources } from '@karpenter/controllers/cluster';
import { formatTimestamp } from '@karpenter/core/api';
import { member } from '@karpenter/core/schema';
import type { KindList } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, keyOf, keyText } from '@karpenter/kube/client';
import {
  checkManifests,
  defaultClassAnnotation,
  documentsOf,
  type InputFile,
  inventoryOf,
  manifestText,
  type NamedManifest,
  type ObjectCheck,
  storedObjects,
  unreadNotes,
  withClass,
} from '../simulate/index.ts';
import { ObjectLists } from './object-lists.ts';
import { scaledWorkloads } from './scaled-workloads.ts';

export interface Addition {
  readonly lists: ObjectLists;
  /** Assumptions that change the plan, for the user. */
  readonly notes: readonly string[];
}

export interface AddOptions {
  readonly at: number;
  readonly objectCheck?: ObjectCheck | undefined;
}

const consequences = {
  EC2NodeClass: 'instance types are those of the EC2NodeClasses in the cluster',
};

/**
 * The cluster after the files are applied to it, with the pods that workloads would create. Objects of the files
 * replace those of the same kind and name, which keep the status that controllers have written.
 */
export function withAdded(lists: ObjectLists, files: readonly InputFile[], options: AddOptions): Addition {
  const { at, objectCheck } = options;
  const inventory = inventoryOf(files.flatMap(documentsOf));
  const stored = storedObjects(inventory.manifests, at);
  if (objectCheck !== undefined) checkManifests(inventory.manifests, objectCheck);
  const scaled = scaledWorkloads(stored, lists.of(stateSources.Pod));
  const written = new Map(inventory.manifests.map((manifest) => [manifestText(manifest), manifest]));
  const context = { live: scaled.live(lists), written, at };
  const added = stored.lists.map((list) => scaled.added(list));
  const merged = added.reduce((all, list) => mergedList(all, list, context), context.live);
  const strays = strayNotes(merged, added);
  return { lists: merged, notes: [...unreadNotes(inventory, consequences), ...scaled.notes, ...strays] };
}

interface MergeContext {
  readonly live: ObjectLists;
  /** The objects of the files, without those that are made up for them, by `manifestText`. */
  readonly written: ReadonlyMap<string, NamedManifest>;
  readonly at: number;
}

function mergedList(all: ObjectLists, { kind, objects }: KindList, context: MergeContext): ObjectLists {
  if (objects.length === 0) return all;
  const byKey = new Map(all.of(kind).map((object) => [keyText(keyOf(object)), object]));
  for (const object of objects) {
    const key = keyText(keyOf(object));
    byKey.set(key, applied(object, byKey.get(key), { ...context, kind }));
  }
  return all.with(kind, [...byKey.values()]);
}

/** What the API server would hold after the object is applied over the one that it has, if any. */
function applied(
  object: KubeObject,
  live: KubeObject | undefined,
  { kind, written, at, live: lists }: MergeContext & { readonly kind: Kind },
): KubeObject {
  if (live === undefined) return created(object, kind, { lists, at });
  const manifest = written.get(
    manifestText({ kind: kind.kind, name: '', namespace: '', ...object.metadata }),
  );
  if (keepsLive(kind, manifest)) return live;
  const { uid, creationTimestamp } = live.metadata ?? {};
  const metadata = {
    ...object.metadata,
    ...(uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
  };
  if (kind.kind === 'Pod' || hasStatus(manifest)) return { ...object, metadata };
  return Object.assign({}, object, { metadata, status: (live as { readonly status?: unknown }).status });
}

/** Volumes and claims cannot change where they are; a namespace may be made up for the pods of the files. */
function keepsLive({ kind }: Kind, manifest: NamedManifest | undefined): boolean {
  if (kind === 'Namespace') return manifest === undefined;
  return kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume';
}

function hasStatus(manifest: NamedManifest | undefined): boolean {
  return manifest === undefined || member(manifest.object, 'status') !== undefined;
}

/** A pod is created now, so that no NodeClaim that is launching already counts as made for it. */
function created(
  object: KubeObject,
  kind: Kind,
  { lists, at }: { readonly lists: ObjectLists; readonly at: number },
): KubeObject {
  if (kind.kind === stateSources.Pod.kind)
    return { ...object, metadata: { creationTimestamp: formatTimestamp(at), ...object.metadata } };
  if (kind.kind !== stateSources.PersistentVolumeClaim.kind) return object;
  const isDefault = ({ metadata }: KubeObject) => metadata?.annotations?.[defaultClassAnnotation] === 'true';
  const className = (lists.of(stateSources.StorageClass) as readonly KubeObject[]).find(isDefault)?.metadata
    ?.name;
  return withClass(object as Parameters<typeof withClass>[0], className) as KubeObject;
}

/** Pods of the files on nodes that exist neither in the cluster nor in the files are part of no plan. */
function strayNotes(merged: ObjectLists, added: readonly KindList[]): readonly string[] {
  const nodes = new Set(merged.of(stateSources.Node).map(({ metadata }) => metadata.name));
  const strays = new ObjectLists(added)
    .of(stateSources.Pod)
    .filter(({ spec }) => (spec.nodeName ?? '') !== '' && !nodes.has(spec.nodeName ?? ''));
  const pools = merged.of(nodePools).length === 0 ? ['there is no NodePool, so no node can be made'] : [];
  if (strays.length === 0) return pools;
  const pods = strays.length === 1 ? 'one pod is' : `${strays.length} pods are`;
  return [...pools, `${pods} on nodes that do not exist, and left out`];
}
