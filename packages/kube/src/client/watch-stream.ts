import { type DurationMs, durationMs } from '@karpenter/core/values';
import { ApiError, isRecord, statusFrom } from './api-error.ts';
import { ConnectionError } from './connection-error.ts';
import type { KubeObject } from './kind.ts';
import type { WatchEvent } from './kube-client.ts';
import { linesOf } from './line-reader.ts';
import type { ApiCall, RequestSender } from './request-sender.ts';

/**
 * Time after the watch's timeoutSeconds in which the server
 * must end it, before the connection counts as dead.
 */
const margin = durationMs(30_000);
/** Annotation on the bookmark that ends the initial events of a streaming list. */
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Opens a watch and yields its events. Leaving the loop ends the request.
 * Returns normally when the server ends the watch or the signal aborts; throws
 * an ApiError for an ERROR event and a ConnectionError for a broken stream.
 */
export async function* watchEvents<T extends KubeObject>(
  sender: RequestSender,
  call: ApiCall,
  timeout: DurationMs,
): AsyncGenerator<WatchEvent<T>> {
  const { response, deadline } = await sender.open(call, durationMs(timeout + margin));
  try {
    // By default the iterator destroys the body when the loop ends, which may crash Node: see http2-callbacks.ts.
    const chunks = response.body.iterator({ destroyOnReturn: false });
    for await (const line of linesOf(chunks)) {
      // Events may still arrive until the connection is closed after the abort.
      if (call.signal?.aborted) return;
      yield parseEvent<T>(call, line);
    }
  } catch (error) {
    if (call.signal?.aborted) return;
    if (error instanceof ApiError || error instanceof ConnectionError) throw error;
    throw new ConnectionError(call.action, deadline.expired ? 'the server fell silent' : error);
  } finally {
    deadline.release();
    response.discard();
  }
}

function parseEvent<T extends KubeObject>(call: ApiCall, line: string): WatchEvent<T> {
  const frame = parseFrame(call, line);
  const { type, object } = frame;
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      // Not validated: the server returns objects of the requested kind.
      return { type, object: object as T };
    case 'BOOKMARK':
      return bookmark(object);
    case 'ERROR':
      throw new ApiError(call.action, statusFrom(500, object));
    default:
      throw new ConnectionError(
        call.action,
        `the server sent an event of unknown type ${JSON.stringify(type)}`,
      );
  }
}

function parseFrame(call: ApiCall, line: string): { readonly type: unknown; readonly object: KubeObject } {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch {
    throw new ConnectionError(call.action, 'the server sent an event that broke off');
  }
  if (!isRecord(frame) || !isRecord(frame['object'])) {
    throw new ConnectionError(call.action, 'the server sent an event without an object');
  }
  return { type: frame['type'], object: frame['object'] };
}

function bookmark({ metadata }: KubeObject): WatchEvent<never> {
  return {
    type: 'BOOKMARK',
    resourceVersion: metadata?.resourceVersion ?? '',
    initialEventsEnd: metadata?.annotations?.[initialEventsEnd] === 'true',
  };
}
