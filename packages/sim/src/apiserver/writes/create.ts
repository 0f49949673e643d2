import type { FieldError, JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { hasReason, StatusError } from '../status/status-error.ts';
import { alreadyExists, invalid, notFound } from '../status/status-errors.ts';
import { decodeObject } from './decode-object.ts';
import { withOwnership } from './field-ownership.ts';
import { validateMetadata } from './metadata-validation.ts';
import {
  generatedName,
  inOrder,
  inRequestNamespace,
  newObjectMeta,
  textField,
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

// As in kube-apiserver. With 27^5 suffixes even a second attempt is rare.
const nameAttempts = 8;

/**
 * `isApply` means that the object already has the managed fields of a server-side apply. Otherwise the writer
 * becomes the owner of every field it sets.
 */
export interface CreateOptions {
  readonly isApply?: boolean;
}

/**
 * Creates an object. With generateName it retries on a name that is taken, like kube-apiserver. Resolves when
 * the object is durable.
 */
export async function create(
  server: WriteServer,
  request: WriteRequest,
  body: JsonObject,
  options: CreateOptions = {},
): Promise<WriteResult> {
  const object = await server.work.run(() => decodeNew(request, body));
  const prefix = textField(object, 'name') === '' ? textField(object, 'generateName') : '';
  for (let attempt = 1; ; attempt += 1) {
    const named = prefix === '' ? object : withMetadata(object, { name: generatedName(prefix) });
    try {
      return await createNamed(server, request, named, options);
    } catch (error) {
      if (prefix === '' || attempt === nameAttempts || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

function decodeNew(request: WriteRequest, body: JsonObject): JsonObject {
  const decoded = decodeObject(request, body);
  for (const text of decoded.warnings) request.warn(text);
  const object = inRequestNamespace(request, decoded.object);
  if (textField(object, 'resourceVersion') !== '') {
    throw new StatusError(500, undefined, 'resourceVersion should not be set on objects to be created');
  }
  return object;
}

async function createNamed(
  server: WriteServer,
  request: WriteRequest,
  object: JsonObject,
  options: CreateOptions,
): Promise<WriteResult> {
  const { kind } = request;
  const { work } = server;
  const prepared = await work.run(() =>
    kind.behaviour.prepare(newObjectMeta(request, object), undefined, undefined),
  );
  const attributes = {
    operation: 'CREATE',
    kind,
    subresource: '',
    namespace: request.namespace,
    name: textField(prepared, 'name'),
    user: request.user,
    dryRun: request.dryRun,
    warn: request.warn,
  } as const;
  checkNamespaceExists(server, request);
  // Before admission, so that fields which admission sets have no owner.
  const owned = options.isApply
    ? prepared
    : await work.runSteps(withOwnership(request, { before: undefined, after: prepared }));
  const mutated = await server.admission.mutate({ ...attributes, object: owned });
  await validateNew(server, request, mutated);
  await server.admission.validate({ ...attributes, object: mutated });
  return commit(server, { ...request, name: textField(mutated, 'name') }, inOrder(request, mutated));
}

function checkNamespaceExists({ store }: WriteServer, { kind, namespace }: WriteRequest): void {
  if (!kind.namespaced || store.get('namespaces', '', namespace)) return;
  throw notFound({ group: '', plural: 'namespaces', name: namespace });
}

async function validateNew(
  { work }: WriteServer,
  { kind, warn }: WriteRequest,
  object: JsonObject,
): Promise<void> {
  const name = textField(object, 'name');
  const errors = [
    ...validateName(kind, name),
    ...(await work.run(() => validateMetadata(object, undefined))),
    ...(await work.runSteps(kind.behaviour.validate(object, undefined, undefined))),
  ];
  if (errors.length > 0) throw invalid({ group: kind.group, kind: kind.kind, name }, errors);
  for (const text of kind.behaviour.warnings?.(object) ?? []) warn(text);
}

function validateName({ behaviour }: ServedKind, name: string): readonly FieldError[] {
  const field = 'metadata.name';
  if (name === '') return [{ type: 'Required', field, detail: 'name or generateName is required' }];
  const problems = behaviour.nameProblems?.(name) ?? [];
  return problems.map((detail) => ({ type: 'Invalid', field, value: name, detail }));
}

async function commit(server: WriteServer, request: WriteRequest, object: JsonObject): Promise<WriteResult> {
  const { store } = server;
  const stored = await storedFrom(request, object);
  const collection = collectionFor(request);
  const namespace = request.kind.namespaced ? request.namespace : '';
  // No await between this check and the put, so that no other request can create the object in between.
  if (store.get(collection, namespace, request.name)) throw alreadyExists(subjectOf(request));
  if (request.dryRun) return { code: 201, shown: unstored(object) };
  const entry = store.put(collection, stored);
  await store.durable();
  return { code: 201, shown: await shownIn(request, entry) };
}
