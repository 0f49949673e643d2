import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import type { Reply } from '../http/reply.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { methodNotAllowed, notFound } from '../status/status-errors.ts';
import type { PodContainers } from './pod-containers.ts';
import { serveExec } from './serve-exec.ts';
import { serveLog } from './serve-log.ts';
import { servePortForward } from './serve-port-forward.ts';

const subresources: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward']);

/** Whether a request is for a subresource that this folder serves. */
export function isForContainers({ kind, info }: ResourceCall): boolean {
  return kind.group === '' && kind.plural === 'pods' && subresources.has(info.subresource);
}

/** Whether a subresource of pods is served as a stream in both directions. */
export function isStream(subresource: string): boolean {
  return subresource !== 'log' && subresources.has(subresource);
}

/** Serves a container subresource. Undefined if the response stays open or the connection was upgraded. */
export async function serveContainers(
  parts: ApiServerParts,
  call: ResourceCall,
  containers: PodContainers,
): Promise<Reply | undefined> {
  const { verb, subresource } = call.info;
  if (verb !== 'get' && (verb !== 'create' || subresource === 'log')) throw methodNotAllowed();
  const on = { pod: podOf(parts, call), containers };
  if (subresource === 'log') return serveLog(parts, call, on);
  return subresource === 'portforward' ? servePortForward(call, on) : serveExec(call, on);
}

function podOf({ store }: ApiServerParts, { kind, info }: ResourceCall): Pod {
  const entry = store.get(collectionOf(kind), info.namespace, info.name);
  if (entry === undefined) throw notFound({ group: '', plural: kind.plural, name: info.name });
  return JSON.parse(entry.json);
}
