import { CodedError } from '@karpenter/core/errors';
import type { WatchCache } from '@karpenter/kube/cache';
import { isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { type ActParts, performAct } from './act-performance.ts';
import { type ActOutcome, answerRequest, openRequest } from './act-request.ts';
import type { ActRequest } from './controls.ts';
import type { FaultReport } from './fault-config.ts';

export interface RequestsFollowed extends Pick<ActParts, 'cloud'> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly configMaps: WatchCache<ConfigMap>;
  readonly report: FaultReport;
}

/** Whoever asked has given up by then, and a request of an earlier run must not terminate anything. */
const validForMs = 60_000;

/** Carries out each requested act once and writes its outcome. Returns a function that stops watching. */
export function followRequests(parts: RequestsFollowed): () => void {
  const seen = new Set<string>();
  return parts.configMaps.subscribe(({ type, object }) => {
    const uid = object.metadata?.uid ?? '';
    if (type === 'deleted') {
      seen.delete(uid);
      return;
    }
    const request = openRequest(object);
    if (request === undefined || seen.has(uid)) return;
    seen.add(uid);
    void answer(parts, object, request).catch((error: unknown) =>
      parts.report(`the outcome of ${request.act} could not be written: ${String(error)}`),
    );
  });
}

async function answer(parts: RequestsFollowed, object: ConfigMap, request: ActRequest): Promise<void> {
  const { client, clock, report } = parts;
  const { name = '', namespace = '', creationTimestamp } = object.metadata ?? {};
  const isOld = clock.now() - Date.parse(String(creationTimestamp)) > validForMs;
  if (isOld)
    return client.delete(kinds.configMap, { name, namespace }).then(
      () => undefined,
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
      },
    );
  const findNode = (node: string) => client.find(kinds.node, { name: node });
  const outcome = await outcomeOf({ ...parts, findNode }, request);
  report(`${request.act}: ${outcome.message}`);
  await answerRequest(client, object, outcome);
}

async function outcomeOf(parts: ActParts, request: ActRequest): Promise<ActOutcome> {
  try {
    return { isDone: true, message: await performAct(parts, request) };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { isDone: false, message: error.message };
  }
}
