import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import type { ReviewServices, TokenSigner } from '../auth/index.ts';
import { checkAccess, reviews } from '../auth/index.ts';
import { isForContainers, isStream, type PodContainers, serveContainers } from '../containers/index.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { methodNotAllowed, unknownPath } from '../status/status-errors.ts';
import type { MetricsSource } from './metrics.ts';
import { serveMetrics } from './metrics.ts';
import { getObject, listObjects, watchObjects } from './read-handlers.ts';
import { serveSubresource } from './subresource-handlers.ts';
import {
  createObject,
  deleteMany,
  deleteOne,
  objectBody,
  patchByType,
  replaceObject,
} from './write-handlers.ts';

export interface DispatchServices extends ReviewServices {
  readonly parts: ApiServerParts;
  readonly signer: TokenSigner;
  readonly metrics: MetricsSource;
  /** Serves logs, exec and port-forward. Without it these subresources return 501. */
  readonly containers: PodContainers | undefined;
}

/**
 * Routes an authorized request to its handler. Undefined when the handler keeps the response open, as a watch
 * does.
 */
export async function dispatch(services: DispatchServices, call: ResourceCall): Promise<Reply | undefined> {
  const { parts } = services;
  const { kind, info, user } = call;
  checkScope(call);
  const review =
    kind.group === 'authorization.k8s.io' || kind.group === 'authentication.k8s.io'
      ? reviewOf(kind)
      : undefined;
  if (review !== undefined) {
    if (info.verb !== 'create') throw methodNotAllowed();
    return jsonReply(201, review(services, user, await objectBody(parts, call), info.namespace));
  }
  if (kind.group === 'metrics.k8s.io') return serveMetrics(parts, services.metrics, call);
  if (services.containers !== undefined && isForContainers(call)) {
    checkStreamAccess(services, call);
    return serveContainers(parts, call, services.containers);
  }
  if (info.subresource !== '' && info.subresource !== 'status')
    return serveSubresource(parts, services.signer, call);
  if (info.subresource === 'status' && !hasStatus(call)) throw unknownPath();
  return serveObjects(parts, call);
}

/**
 * A WebSocket handshake is a GET. Since Kubernetes 1.35 exec, attach and port-forward over it also require the verb
 * `create`, as they always did over SPDY, so that a user with read access cannot run commands.
 */
function checkStreamAccess({ authorizer }: DispatchServices, { info, user, request }: ResourceCall): void {
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
  if (info.verb !== 'get' || !isWebSocket || !isStream(info.subresource)) return;
  const { group, resource, subresource, namespace, name } = info;
  checkAccess(authorizer, user, { verb: 'create', group, resource, subresource, namespace, name });
}

function reviewOf({ kind }: ServedKind): (typeof reviews)[string] | undefined {
  return Object.hasOwn(reviews, kind) ? reviews[kind] : undefined;
}

function hasStatus({ kind }: ResourceCall): boolean {
  return kind.subresources.some(({ name }) => name === 'status');
}

async function serveObjects(parts: ApiServerParts, call: ResourceCall): Promise<Reply | undefined> {
  const { info, kind } = call;
  checkVerb(call);
  if (kind.deprecation !== undefined) call.warnings.push(kind.deprecation);
  switch (info.verb) {
    case 'get':
      return getObject(parts, call);
    case 'list':
      return listObjects(parts, call);
    case 'watch':
      watchObjects(parts, call);
      return undefined;
    case 'create':
      return createObject(parts, call);
    case 'update':
      return replaceObject(parts, call);
    case 'patch':
      return patchByType(parts, call);
    case 'delete':
      return deleteOne(parts, call);
    case 'deletecollection':
      return deleteMany(parts, call);
    default:
      throw new Error(`no handler for ${info.verb} of ${kind.plural}`);
  }
}

/**
 * Rejects, with 405, a verb that the kind does not support and a name that the verb does not take or lacks.
 */
function checkVerb({ info, kind }: ResourceCall): void {
  const { verb, name, subresource } = info;
  const needsName = verb === 'update' || verb === 'patch';
  if (needsName ? name === '' : verb === 'create' && name !== '') throw methodNotAllowed();
  if (subresource === '' && !kind.verbs.includes(verb)) throw methodNotAllowed();
  if (subresource === 'status' && (verb === 'create' || verb === 'delete')) throw methodNotAllowed();
}

/**
 * Rejects a namespaced path to a cluster-scoped kind, and the reverse. Authorization used the namespace of
 * the path, so serving such a request would let a namespaced permission reach objects outside of it.
 */
function checkScope({ info, kind }: ResourceCall): void {
  const { verb, namespace, subresource } = info;
  const isAllNamespaces = subresource === '' && (verb === 'list' || verb === 'watch');
  if (kind.namespaced ? namespace === '' && !isAllNamespaces : namespace !== '') throw unknownPath();
}
