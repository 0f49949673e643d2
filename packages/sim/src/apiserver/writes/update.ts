import { equalJson, type JsonObject, member } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { settleTimes } from '../apply/index.ts';
import type { Decoded } from '../kinds/served-kind.ts';
import { listOf, objectOf } from '../lenient-json.ts';
import type { Shown } from '../reads/presentation.ts';
import { StatusError } from '../status/status-error.ts';
import { conflict, invalid, notFound } from '../status/status-errors.ts';
import { type Entry, metadataOf } from '../store/index.ts';
import { decodeObject } from './decode-object.ts';
import { withOwnership } from './field-ownership.ts';
import { validateMetadata } from './metadata-validation.ts';
import {
  checkIdentity,
  inOrder,
  inRequestNamespace,
  isDeleting,
  keepServerFields,
  listField,
  textField,
  withGeneration,
  withMetadata,
} from './object-meta.ts';
import {
  collectionFor,
  shownIn,
  storedFrom,
  subjectOf,
  unstored,
  type WriteRequest,
  type WriteResult,
} from './write-request.ts';
import type { WriteServer } from './write-server.ts';

/** Attempts of an update while other clients write the object. */
const attempts = 5;

const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** The new object. `hasManagedFields` means that it already has updated managed fields. */
interface Proposed {
  readonly object: JsonObject;
  readonly hasManagedFields?: boolean;
}

/** A new object and the stored one that it replaces. */
interface Change {
  readonly object: JsonObject;
  readonly current: JsonObject;
}

export interface UpdateOptions {
  /**
   * Whether to retry on a conflict. A patch applies to any version of the object; a PUT replaces one version.
   */
  readonly isRepeatable: boolean;
  /** Wraps the error for a proposed object that does not decode; defaults to the decoder's error. */
  undecodable?(error: StatusError, proposed: JsonObject): StatusError;
  /** Computes the new object from the current one, again for each attempt. */
  propose(current: JsonObject): Proposed | Promise<Proposed>;
}

/** The stored entry; throws 404 if there is none. */
export function presentEntry({ store }: Pick<WriteServer, 'store'>, request: WriteRequest): Entry {
  const namespace = request.kind.namespaced ? request.namespace : '';
  const entry = store.get(collectionFor(request), namespace, request.name);
  if (entry === undefined) throw notFound(subjectOf(request));
  return entry;
}

/**
 * Updates an object with optimistic concurrency: compute, validate and admit the new object, then store it if
 * the entry has not changed meanwhile. Throws 409 when it has. Resolves when the change is durable.
 */
export async function update(
  server: WriteServer,
  request: WriteRequest,
  options: UpdateOptions,
): Promise<WriteResult> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const entry = presentEntry(server, request);
    const shown = await shownIn(request, entry);
    const current = shown.object;
    const next = await candidate(server, request, current, options);
    const stored = next === current ? entry.object : await storedFrom(request, next);
    // No await from here to the put, so that no other request can write in between.
    const latest = presentEntry(server, request);
    if (latest === entry) return commit(server, request, { entry, stored, shown, next });
    // `checkVersion` of the next attempt rejects a PUT that names a resource version; one without is retried.
  }
  throw conflict(subjectOf(request), modified);
}

/** The object to store, or `current` itself when nothing changes. */
async function candidate(
  server: WriteServer,
  request: WriteRequest,
  current: JsonObject,
  options: UpdateOptions,
): Promise<JsonObject> {
  const { kind, user, dryRun, namespace, name } = request;
  const { work } = server;
  const proposed = await work.run(() => options.propose(current));
  const prepared = await work.runSteps(prepare(request, { object: proposed.object, current }, options));
  const attributes = {
    operation: 'UPDATE',
    kind,
    subresource: request.subresource,
    namespace,
    name,
    oldObject: current,
    user,
    dryRun,
    warn: request.warn,
  } as const;
  // Before admission, so that fields which admission sets have no owner.
  const owned = proposed.hasManagedFields
    ? prepared
    : await work.runSteps(withOwnership(request, { before: current, after: prepared }));
  const mutated = await server.admission.mutate({ ...attributes, object: owned });
  const counted = await work.run(() => withGeneration(request, mutated, current));
  await checkValid(server, request, { object: counted, current });
  await server.admission.validate({ ...attributes, object: counted });
  const next = await work.run(() => withUnchangedTimes(inOrder(request, counted), current));
  return work.run(() => (equalJson(next, current) ? current : next));
}

function* prepare(
  request: WriteRequest,
  { object: proposed, current }: Change,
  options: UpdateOptions,
): Steps<JsonObject> {
  const { kind, subresource } = request;
  const decoded = decodeProposed(request, { object: proposed, current }, options);
  yield;
  for (const text of decoded.warnings) request.warn(text);
  const object = inRequestNamespace(request, decoded.object);
  checkIdentity(request, object, current);
  checkVersion(request, { object, current }, options);
  const version = { resourceVersion: metadataOf(current)['resourceVersion'] };
  const kept = withMetadata(keepServerFields(object, current), version);
  return kind.behaviour.prepare(kept, current, subresource === '' ? undefined : subresource);
}

function decodeProposed(
  request: WriteRequest,
  { object: proposed, current }: Change,
  { undecodable }: UpdateOptions,
): Decoded {
  try {
    return decodeObject(request, proposed, current);
  } catch (error) {
    throw undecodable && error instanceof StatusError && error.code === 400
      ? undecodable(error, proposed)
      : error;
  }
}

function checkVersion(
  request: WriteRequest,
  { object, current }: Change,
  { isRepeatable }: UpdateOptions,
): void {
  const { kind } = request;
  const version = textField(object, 'resourceVersion');
  if (version === textField(current, 'resourceVersion')) return;
  if (version !== '') throw conflict(subjectOf(request), modified);
  if (isRepeatable || kind.allowsUnconditionalUpdate) return;
  throw invalid({ group: kind.group, kind: kind.kind, name: request.name }, [
    {
      type: 'Invalid',
      field: 'metadata.resourceVersion',
      value: 0,
      detail: 'must be specified for an update',
    },
  ]);
}

async function checkValid(
  { work }: WriteServer,
  request: WriteRequest,
  { object, current }: Change,
): Promise<void> {
  const { kind, subresource, name, warn } = request;
  const errors = [
    ...(await work.run(() => validateMetadata(object, current))),
    ...(await work.runSteps(
      kind.behaviour.validate(object, current, subresource === '' ? undefined : subresource),
    )),
  ];
  // Ratcheting: an error in a field that this write does not change is accepted, so that tighter rules do not
  // block writes to existing objects.
  const refused = errors.filter(({ ratcheted }) => !ratcheted);
  if (refused.length > 0) throw invalid({ group: kind.group, kind: kind.kind, name }, refused);
  for (const text of kind.behaviour.warnings?.(object) ?? []) warn(text);
}

/**
 * Keeps the times in managed fields when nothing else changes: otherwise every repeated apply would be a new
 * revision.
 */
function withUnchangedTimes(next: JsonObject, current: JsonObject): JsonObject {
  const managedFields = listField(next, 'managedFields').map(objectOf);
  if (managedFields.length === 0) return next;
  return withMetadata(next, { managedFields: settleTimes(current, next, managedFields) });
}

interface Commit {
  readonly entry: Entry;
  readonly stored: JsonObject;
  /** The current object. */
  readonly shown: Shown;
  /** The new object; identical to the current one when nothing changes. */
  readonly next: JsonObject;
}

async function commit(server: WriteServer, request: WriteRequest, change: Commit): Promise<WriteResult> {
  const { store } = server;
  const { entry, stored, shown, next } = change;
  // A write without changes creates no revision, as in kube-apiserver. It still waits, because the state it
  // reports may not be durable yet.
  if (next === shown.object) {
    await store.durable();
    return { code: 200, shown };
  }
  if (request.dryRun) return { code: 200, shown: unstored(next) };
  const written = isReleased(stored) ? store.remove(entry, stored) : store.put(entry.collection, stored);
  await store.durable();
  return { code: 200, shown: await shownIn(request, written) };
}

/** Whether a deleted object can be removed: no grace period is left and no finalizer. */
export function isReleased(object: JsonObject): boolean {
  if (!isDeleting(object) || listField(object, 'finalizers').length > 0) return false;
  return Number(metadataOf(object)['deletionGracePeriodSeconds'] ?? 0) === 0 && !hasSpecFinalizers(object);
}

/** Namespaces also have finalizers in their spec. */
function hasSpecFinalizers({ kind, spec }: JsonObject): boolean {
  return kind === 'Namespace' && listOf(member(spec, 'finalizers')).length > 0;
}
