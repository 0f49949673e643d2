import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import type { Reply } from '../http/reply.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { methodNotAllowed, notFound } from '../status/status-errors.ts';
import type { PodContainers } from './pod-containers.ts';
import { serveLog } from './serve-log.ts';

/** Whether a request is for a subresource that this folder serves. */
export function isForContainers({ kind, info }: ResourceCall): boolean {
  return kind.group === '' && kind.plural === 'pods' && info.subresource === 'log';
}

/** Serves a request into a container. Undefined if the response stays open. */
export function serveContainers(
  parts: ApiServerParts,
  call: ResourceCall,
  containers: PodContainers,
): Reply | undefined {
  if (call.info.verb !== 'get') throw methodNotAllowed();
  return serveLog(parts, call, { pod: podOf(parts, call), containers });
}

function podOf({ store }: ApiServerParts, { kind, info }: ResourceCall): Pod {
  const entry = store.get(collectionOf(kind), info.namespace, info.name);
  if (entry === undefined) throw notFound({ group: '', plural: kind.plural, name: info.name });
  return JSON.parse(entry.json);
}
