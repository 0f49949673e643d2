import { randomInt, randomUUID } from 'node:crypto';
import { equalJson, isJsonArray, type Json, type JsonObject } from '@karpenter/core/schema';
import { apiVersionOf } from '../registry/kind-registry.ts';
import type { StatusError } from '../status/status-error.ts';
import { badRequest, conflict, invalid } from '../status/status-errors.ts';
import { metadataOf } from '../store/index.ts';
import { subjectOf, type WriteRequest } from './write-request.ts';

/** Kubernetes' alphabet: without vowels and similar characters, so that no suffix spells a word. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxNameLength = 63;

/** A copy of the object with these metadata fields set; undefined removes a field. */
export function withMetadata(
  object: JsonObject,
  changes: { readonly [field: string]: Json | undefined },
): JsonObject {
  const metadata: Record<string, Json> = { ...metadataOf(object) };
  for (const field in changes) {
    const value = changes[field];
    if (value !== undefined) metadata[field] = value;
    else if (field in metadata) delete metadata[field];
  }
  return { ...object, metadata };
}

/** Puts kind and apiVersion first. Lists of built-in kinds rely on the order to cut them from each item. */
export function inOrder({ kind }: WriteRequest, object: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: metadata ?? {}, ...rest };
}

export function textField(object: JsonObject, field: string): string {
  const value = metadataOf(object)[field];
  return typeof value === 'string' ? value : '';
}

export function listField(object: JsonObject, field: string): readonly Json[] {
  const value = metadataOf(object)[field];
  return value !== undefined && isJsonArray(value) ? value : [];
}

export function isDeleting(object: JsonObject): boolean {
  return textField(object, 'deletionTimestamp') !== '';
}

let latest = { second: Number.NaN, text: '' };

/**
 * RFC 3339 with whole seconds, as the API has it. The last result is cached, since most calls fall in the
 * same second.
 */
export function timestamp(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (latest.second !== second) {
    latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return latest.text;
}

/** Sets the namespace of the request; throws 400 when the object names another one. */
export function inRequestNamespace(request: WriteRequest, object: JsonObject): JsonObject {
  const named = textField(object, 'namespace');
  if (!request.kind.namespaced) return named === '' ? object : withMetadata(object, { namespace: undefined });
  if (named === '') return withMetadata(object, { namespace: request.namespace });
  if (named === request.namespace) return object;
  throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
}

/** Sets the metadata that the server assigns on create, and drops what a client may not set. */
export function newObjectMeta(request: WriteRequest, object: JsonObject): JsonObject {
  return withMetadata(object, {
    uid: randomUUID(),
    creationTimestamp: timestamp(request.nowMs),
    generation: request.kind.countsGenerations ? 1 : undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    resourceVersion: undefined,
    selfLink: undefined,
  });
}

/** A name from `generateName`. The prefix is cut so that the name has at most 63 characters. */
export function generatedName(prefix: string): string {
  let name = prefix.slice(0, maxNameLength - suffixLength);
  // randomInt draws from a buffer of random numbers; a system call for a few bytes each time is slow.
  for (let length = 0; length < suffixLength; length += 1)
    name += suffixAlphabet[randomInt(suffixAlphabet.length)];
  return name;
}

/** Restores the fields that only the server sets, whatever the client sent. */
export function keepServerFields(object: JsonObject, old: JsonObject): JsonObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } =
    metadataOf(old);
  return withMetadata(object, {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    selfLink: undefined,
  });
}

/**
 * Throws unless name and uid match the stored object; a missing uid is accepted. Custom kinds report another
 * uid as 422 instead of 409, as in kube-apiserver.
 */
export function checkIdentity(request: WriteRequest, object: JsonObject, old: JsonObject): void {
  const name = textField(object, 'name');
  if (name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  const uid = textField(object, 'uid');
  const oldUid = textField(old, 'uid');
  if (uid !== '' && uid !== oldUid) {
    if (request.kind.isCustom) throw otherUid(request, uid);
    throw conflict(
      subjectOf(request),
      `the UID in the precondition (${uid}) does not match the UID in record (${oldUid}). The object might have been ` +
        'deleted and then recreated',
    );
  }
}

function otherUid({ kind, name }: WriteRequest, uid: string): StatusError {
  return invalid({ group: kind.group, kind: kind.kind, name }, [
    { type: 'Invalid', field: 'metadata.uid', value: uid, detail: 'field is immutable' },
  ]);
}

/**
 * Increases the generation when the desired state changes: everything but metadata and, for kinds with a
 * status subresource, status.
 */
export function withGeneration(request: WriteRequest, object: JsonObject, old: JsonObject): JsonObject {
  const { kind } = request;
  if (!kind.countsGenerations) return object;
  const desiredState =
    kind.isCustom && !kind.subresources.some(({ name }) => name === 'status')
      ? withoutMetadata
      : withoutStatus;
  const isChanged =
    !equalJson(desiredState(object), desiredState(old)) || hasCountedAnnotations(request, object, old);
  if (!isChanged) return object;
  return withMetadata(object, { generation: nextGeneration(old) });
}

function hasCountedAnnotations(
  { kind, subresource }: WriteRequest,
  object: JsonObject,
  old: JsonObject,
): boolean {
  if (!kind.countsAnnotations || subresource !== '') return false;
  return !equalJson(metadataOf(object)['annotations'] ?? {}, metadataOf(old)['annotations'] ?? {});
}

export function nextGeneration(old: JsonObject): number {
  return Number(metadataOf(old)['generation'] ?? 0) + 1;
}

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}

function withoutStatus({ metadata: _metadata, status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}
