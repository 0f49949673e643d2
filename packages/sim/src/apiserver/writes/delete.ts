import type { JsonObject } from '@karpenter/core/schema';
import { member } from '@karpenter/core/schema';
import { cleanupFinalizer } from '../custom/definition.ts';
import { objectOf } from '../lenient-json.ts';
import type { Shown } from '../reads/presentation.ts';
import { hasReason } from '../status/status-error.ts';
import { conflict } from '../status/status-errors.ts';
import { type Entry, metadataOf } from '../store/index.ts';
import type { DeleteRequestOptions } from './delete-options.ts';
import { isDeleting, listField, nextGeneration, textField, timestamp, withMetadata } from './object-meta.ts';
import { isReleased, presentEntry } from './update.ts';
import { shownIn, subjectOf, unstored, type WriteRequest, type WriteResult } from './write-request.ts';
import type { WriteServer } from './write-server.ts';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';
// The default of terminationGracePeriodSeconds.
const podGraceSeconds = 30;

/** Kinds for which kube-apiserver returns the deleted object instead of a Status. */
const returnsObject: ReadonlySet<string> = new Set([
  'Pod',
  'Service',
  'ServiceAccount',
  'PersistentVolumeClaim',
  'PodTemplate',
  'ReplicationController',
  'ResourceQuota',
  'PersistentVolume',
  'CSINode',
  'StorageClass',
  'VolumeAttachment',
  'CSIDriver',
]);

/**
 * Deletes an object. With finalizers or a grace period it only sets deletionTimestamp; the last finalizer's
 * removal, or the kubelet's second delete, then removes it.
 */
export async function deleteObject(
  server: WriteServer,
  request: WriteRequest,
  options: DeleteRequestOptions,
): Promise<WriteResult> {
  const entry = presentEntry(server, request);
  checkPreconditions(request, entry, options);
  await server.admission.validate({
    operation: 'DELETE',
    kind: request.kind,
    subresource: '',
    namespace: request.namespace,
    name: request.name,
    oldObject: entry.object,
    user: request.user,
    dryRun: request.dryRun || options.dryRun,
    warn: request.warn,
  });
  // Webhooks may have taken seconds: check the preconditions again, on the object that is going to be
  // deleted.
  const latest = presentEntry(server, request);
  checkPreconditions(request, latest, options);
  return markOrRemove(server, request, latest, options);
}

/** Like deleteObject, but an object that is already gone is no error. */
export async function deleteUnlessGone(
  server: WriteServer,
  request: WriteRequest,
  options: DeleteRequestOptions,
): Promise<void> {
  try {
    await deleteObject(server, request, options);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** Throws a 409 if the object is not the one that the request is about. */
export function checkPreconditions(
  request: WriteRequest,
  { object }: Entry,
  { uid, resourceVersion }: DeleteRequestOptions,
): void {
  // kube-apiserver names the kind in this message, not the resource.
  const subject = { ...subjectOf(request), plural: request.kind.kind };
  const actualUid = textField(object, 'uid');
  if (uid !== undefined && uid !== actualUid) {
    throw conflict(
      subject,
      `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  const actualVersion = textField(object, 'resourceVersion');
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in ` +
        `record (${actualVersion}). The object might have been modified`,
    );
  }
}

async function markOrRemove(
  server: WriteServer,
  request: WriteRequest,
  entry: Entry,
  options: DeleteRequestOptions,
): Promise<WriteResult> {
  const { store } = server;
  const marked = markedForDeletion(request, entry.object, options);
  const dryRun = request.dryRun || options.dryRun;
  if (isReleased(marked)) {
    if (!dryRun) store.remove(entry);
    await store.durable();
    return { code: 200, shown: await deletedReply(request, entry) };
  }
  if (dryRun || marked === entry.object) {
    await store.durable();
    return { code: 200, shown: await shownIn(request, entry) };
  }
  const written = store.put(entry.collection, marked);
  await store.durable();
  return { code: 200, shown: await shownIn(request, written) };
}

/**
 * The object with deletionTimestamp and finalizers; the same object when the request changes nothing. A
 * second delete may shorten the grace period, but not extend it.
 */
function markedForDeletion(
  request: WriteRequest,
  object: JsonObject,
  options: DeleteRequestOptions,
): JsonObject {
  const grace = graceSeconds(object, options);
  const finalizers = deletionFinalizers(object, options);
  const sameFinalizers = finalizers.length === listField(object, 'finalizers').length;
  if (isDeleting(object) && sameFinalizers && grace >= remainingGrace(object)) return object;
  const requestedAt = isDeleting(object)
    ? Date.parse(textField(object, 'deletionTimestamp')) - remainingGrace(object) * 1000
    : request.nowMs;
  return withDeletedPhase(
    withMetadata(object, {
      deletionTimestamp: timestamp(requestedAt + grace * 1000),
      deletionGracePeriodSeconds: grace,
      generation: metadataOf(object)['generation'] === undefined ? undefined : nextGeneration(object),
      finalizers: finalizers.length > 0 ? [...finalizers] : undefined,
    }),
  );
}

/** A namespace that is deleted is in phase Terminating at once, before the namespace controller sees it. */
function withDeletedPhase(object: JsonObject): JsonObject {
  if (object['kind'] !== 'Namespace') return object;
  return { ...object, status: { ...objectOf(object['status']), phase: 'Terminating' } };
}

function remainingGrace(object: JsonObject): number {
  return Number(metadataOf(object)['deletionGracePeriodSeconds'] ?? 0);
}

/** Only pods have a grace period, and only those that a kubelet may be running. */
function graceSeconds(object: JsonObject, { gracePeriodSeconds }: DeleteRequestOptions): number {
  if (object['kind'] !== 'Pod') return 0;
  const phase = member(object['status'], 'phase');
  const isBound = Boolean(member(object['spec'], 'nodeName'));
  if (!isBound || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = member(object['spec'], 'terminationGracePeriodSeconds');
  const wanted = gracePeriodSeconds ?? (typeof own === 'number' ? own : podGraceSeconds);
  // kube-apiserver turns a negative period into one second.
  return wanted < 0 ? 1 : wanted;
}

/** Adds the cleanup finalizer to a definition that is deleted: it stays until its objects are gone. */
function presentFinalizers(object: JsonObject): readonly string[] {
  const present = listField(object, 'finalizers').map(String);
  const isDefinition = object['kind'] === 'CustomResourceDefinition';
  return isDefinition && !present.includes(cleanupFinalizer) && !isDeleting(object)
    ? [...present, cleanupFinalizer]
    : present;
}

function deletionFinalizers(
  object: JsonObject,
  { propagationPolicy }: DeleteRequestOptions,
): readonly string[] {
  const present = presentFinalizers(object);
  if (propagationPolicy === undefined) return present;
  const others = present.filter(
    (finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer,
  );
  if (propagationPolicy === 'Orphan') return [...others, orphanFinalizer];
  return propagationPolicy === 'Foreground' ? [...others, foregroundFinalizer] : others;
}

async function deletedReply(request: WriteRequest, entry: Entry): Promise<Shown> {
  const { kind } = request;
  if (returnsObject.has(kind.kind)) return shownIn(request, entry);
  return unstored({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: request.name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      uid: textField(entry.object, 'uid'),
    },
  });
}
