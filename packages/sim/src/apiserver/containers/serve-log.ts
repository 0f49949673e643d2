import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import type { Reply } from '../http/reply.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { badRequest } from '../status/status-errors.ts';
import { containerOf, containerStatusOf } from './container-choice.ts';
import { FollowedLog } from './followed-log.ts';
import { lineText, logOptions, selected } from './log-options.ts';
import type { ContainerLog, PodContainers } from './pod-containers.ts';

const contentType = 'text/plain';

/** Serves `pods/log`. Undefined for a followed log, whose response stays open. */
export function serveLog(
  parts: ApiServerParts,
  call: ResourceCall,
  on: { readonly pod: Pod; readonly containers: PodContainers },
): Reply | undefined {
  const { query } = call.info;
  const options = logOptions(query, parts.clock.now());
  const container = containerOf(on.pod, query.get('container'));
  // As in kube-apiserver, the log of a pod without a node is empty: there is no kubelet to get it from.
  if (on.pod.spec?.nodeName === undefined) return { code: 200, body: '', contentType };
  const logOf = (pod: Pod) => on.containers.log(pod, container, options.run);
  const log = logOf(on.pod) ?? missing(on.pod, container, options.run);
  if (!options.follow || log.isEnded) {
    const text = selected(log.lines, options)
      .map((line) => lineText(line, options))
      .join('');
    return { code: 200, body: limited(text, options.limitBytes), contentType };
  }
  const { response, kind } = call;
  response.writeHead(200, { 'cache-control': 'no-cache, private', 'content-type': contentType });
  const followed = new FollowedLog({ pod: on.pod, options, response, logOf });
  followed.start(parts.hub, collectionOf(kind), log);
  return undefined;
}

function missing(pod: Pod, container: string, run: 'current' | 'previous'): ContainerLog {
  const podName = pod.metadata?.name ?? '';
  const status = containerStatusOf(pod, container);
  if (run === 'previous' && status !== undefined)
    throw badRequest(`previous terminated container "${container}" in pod "${podName}" not found`);
  const reason = status?.state?.waiting?.reason ?? 'ContainerCreating';
  throw badRequest(`container "${container}" in pod "${podName}" is waiting to start: ${reason}`);
}

/** Cuts by bytes, even within a character, as the kubelet does. */
function limited(text: string, limitBytes: number | undefined): string {
  if (limitBytes === undefined || Buffer.byteLength(text) <= limitBytes) return text;
  return Buffer.from(text)
    .subarray(0, limitBytes)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
