import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { isGone, isNotFound, isRecord } from './api-error.ts';
import { kinds } from './built-in-kinds.ts';
import type { Kind, KubeObject, ObjectKey } from './kind.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  KubeClient,
  ListOptions,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-client.ts';
import { keyOf } from './object-key.ts';
import { apiVersionOf, collectionPath, describeObject, objectPath, query } from './object-path.ts';
import type { RequestSender } from './request-sender.ts';
import type { Transport } from './transport.ts';
import { watchEvents } from './watch-stream.ts';

/** As in client-go: few round trips, yet no page is large enough to block the event loop for long. */
const pageSize = 500;
const defaultWatchSeconds = 300;

const patchContentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Record<Patch['type'], string>;

/** Sends the API verbs as HTTP requests. It does not validate response objects against their types. */
export class RestClient implements KubeClient {
  readonly #sender: RequestSender;
  readonly #transport: Transport;

  constructor(sender: RequestSender, transport: Transport) {
    this.#sender = sender;
    this.#transport = transport;
  }

  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, { signal }: GetOptions = {}): Promise<T> {
    return this.#one(kind, 'get', key, { method: 'GET', path: objectPath(kind, key), signal });
  }

  async find<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<T | undefined> {
    try {
      return await this.get(kind, key, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    if (options.limit !== undefined) return this.#page(kind, options);
    try {
      return await this.#allPages(kind, options);
    } catch (error) {
      // A continue token expires after some minutes (410 Gone). A list without a limit needs none.
      if (isGone(error) && options.resourceVersion === undefined) return this.#page(kind, options);
      throw error;
    }
  }

  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    const {
      namespace,
      signal,
      sendInitialEvents,
      timeoutSeconds = defaultWatchSeconds,
      ...selection
    } = options;
    const parameters = query({
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      ...selection,
      sendInitialEvents,
      resourceVersionMatch: sendInitialEvents === true ? 'NotOlderThan' : undefined,
    });
    const call = {
      action: `watch ${describeObject(kind, namespace === undefined ? {} : { namespace })}`,
      method: 'GET',
      path: collectionPath(kind, namespace) + parameters,
      signal,
      isLasting: true,
      isUnlimited: true,
    };
    return watchEvents(this.#sender, call, durationMs(timeoutSeconds * 1000));
  }

  create<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { name, namespace } = object.metadata ?? {};
    const path =
      options.subresource === undefined
        ? collectionPath(kind, namespace)
        : objectPath(kind, namedKey(kind, object), options.subresource);
    return this.#one(
      kind,
      'create',
      { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
      {
        method: 'POST',
        path: path + writeQuery(options),
        body: typed(kind, object),
        signal: options.signal,
      },
    );
  }

  async replace<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const key = namedKey(kind, object);
    return this.#one(kind, 'replace', key, {
      method: 'PUT',
      path: objectPath(kind, key, options.subresource) + writeQuery(options),
      body: typed(kind, object),
      signal: options.signal,
    });
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#one(kind, 'patch', key, {
      method: 'PATCH',
      path: objectPath(kind, key, options.subresource) + writeQuery(options),
      body: patch.type === 'json' ? patch.operations : patch.body,
      contentType: patchContentTypes[patch.type],
      signal: options.signal,
    });
  }

  async apply<T extends KubeObject>(kind: Kind<T>, object: T, options: ApplyOptions): Promise<T> {
    const key = namedKey(kind, object);
    return this.#one(kind, 'apply', key, {
      method: 'PATCH',
      path: objectPath(kind, key, options.subresource) + writeQuery(options, options.force),
      body: typed(kind, object),
      contentType: 'application/apply-patch+yaml',
      signal: options.signal,
    });
  }

  async delete<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<void> {
    await this.#one(kind, 'delete', key, {
      method: 'DELETE',
      path: objectPath(kind, key),
      body: deleteBody(options),
      signal: options.signal,
    });
  }

  async deleteAll<T extends KubeObject>(
    kind: Kind<T>,
    list: ListOptions,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { namespace, signal, ...selection } = list;
    await this.#sender.json({
      action: `delete all ${describeObject(kind, namespace === undefined ? {} : { namespace })}`,
      method: 'DELETE',
      path: collectionPath(kind, namespace) + query(selection),
      body: deleteBody(options),
      signal: options.signal ?? signal,
    });
  }

  async evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    await this.#one(kinds.pod, 'evict', pod, {
      method: 'POST',
      path: objectPath(kinds.pod, pod, 'eviction'),
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: pod,
        deleteOptions: deleteBody(options),
      },
      signal: options.signal,
    });
  }

  async bind(pod: ObjectKey, nodeName: string): Promise<void> {
    await this.#one(kinds.pod, 'bind', pod, {
      method: 'POST',
      path: objectPath(kinds.pod, pod, 'binding'),
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: pod,
        target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
      },
    });
  }

  request(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#sender.json({ action: `${method} ${path}`, method, path, body });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Sends a request on one object and returns the response as an object of the kind. */
  async #one<T extends KubeObject>(
    kind: Kind<T>,
    verb: string,
    key: Partial<ObjectKey>,
    call: Omit<Parameters<RequestSender['json']>[0], 'action'>,
  ): Promise<T> {
    return (await this.#sender.json({ ...call, action: `${verb} ${describeObject(kind, key)}` })) as T;
  }

  async #allPages<T extends KubeObject>(kind: Kind<T>, options: ListOptions): Promise<ObjectList<T>> {
    const first = await this.#page(kind, { ...options, limit: pageSize });
    const items = [...first.items];
    let rest = first.continue;
    while (rest !== undefined) {
      // The continue token contains the version of the first page; the server refuses a version next to it.
      const { resourceVersion, resourceVersionMatch, ...others } = options;
      const page = await this.#page(kind, { ...others, limit: pageSize, continue: rest });
      items.push(...page.items);
      rest = page.continue;
    }
    return { items, resourceVersion: first.resourceVersion };
  }

  /**
   * Lists one page, exempt from the client's rate limit. Pages are sequential anyway, and behind thousands of
   * queued writes each page would wait for minutes (ADR 0032).
   */
  async #page<T extends KubeObject>(kind: Kind<T>, options: ListOptions): Promise<ObjectList<T>> {
    const { namespace, signal, ...selection } = options;
    const action = `list ${describeObject(kind, namespace === undefined ? {} : { namespace })}`;
    const path = collectionPath(kind, namespace) + query(selection);
    const call = { action, method: 'GET', path, signal, isUnlimited: true };
    return objectList(kind, await this.#sender.json(call));
  }
}

/**
 * Adds `apiVersion` and `kind` to the items, which servers
 * omit in lists, so that objects look the same everywhere.
 */
function objectList<T extends KubeObject>(kind: Kind<T>, body: unknown): ObjectList<T> {
  const list = isRecord(body) ? body : {};
  const items = Array.isArray(list['items']) ? list['items'] : [];
  const metadata = isRecord(list['metadata']) ? list['metadata'] : {};
  const next = metadata['continue'];
  const remaining = metadata['remainingItemCount'];
  return {
    items: items.map((item: T) => typed(kind, item)),
    resourceVersion: String(metadata['resourceVersion'] ?? ''),
    ...(typeof next === 'string' && next !== '' ? { continue: next } : {}),
    ...(typeof remaining === 'number' ? { remainingItemCount: remaining } : {}),
  };
}

function typed<T extends KubeObject>(kind: Kind<T>, object: T): T {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}

function namedKey<T extends KubeObject>(kind: Kind<T>, object: T): ObjectKey {
  const key = keyOf(object);
  if (key.name === '') {
    throw new CodedError(
      'unnamed-object',
      `cannot write ${kind.plural}: the object has no name; set metadata.name`,
    );
  }
  return key;
}

function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions, force?: boolean): string {
  return query({ dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation, force });
}

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
}
