import { CodedError } from '@karpenter/core/errors';
import type { WatchCache } from '@karpenter/kube/cache';
import { isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { type ActParts, performAct } from './act-performance.ts';
import {
  type AccountRequest,
  type ActOutcome,
  answerRequest,
  faultsQuestion,
  openRequest,
} from './act-request.ts';
import type { ActRequest } from './controls.ts';
import type { FaultReport } from './fault-config.ts';

export interface RequestsFollowed extends Pick<ActParts, 'cloud'> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly configMaps: WatchCache<ConfigMap>;
  readonly report: FaultReport;
  /** The text of the ConfigMap whose faults are in force; undefined if there is none. */
  readonly faultsInForce: () => string | undefined;
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
      parts.report(`the outcome of ${nameOf(request)} could not be written: ${String(error)}`),
    );
  });
}

function nameOf(request: AccountRequest): string {
  return request === faultsQuestion ? request : request.act;
}

async function answer(parts: RequestsFollowed, object: ConfigMap, request: AccountRequest): Promise<void> {
  const { client, clock } = parts;
  const { name = '', namespace = '', creationTimestamp } = object.metadata ?? {};
  const isOld = clock.now() - Date.parse(String(creationTimestamp)) > validForMs;
  if (isOld)
    return client.delete(kinds.configMap, { name, namespace }).then(
      () => undefined,
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
      },
    );
  await answerRequest(client, object, await outcomeOf(parts, request));
}

async function outcomeOf(parts: RequestsFollowed, request: AccountRequest): Promise<ActOutcome> {
  if (request === faultsQuestion) return { isDone: true, message: parts.faultsInForce() ?? '' };
  const findNode = (name: string) => parts.client.find(kinds.node, { name });
  const outcome = await performed({ ...parts, findNode }, request);
  parts.report(`${request.act}: ${outcome.message}`);
  return outcome;
}

async function performed(parts: ActParts, request: ActRequest): Promise<ActOutcome> {
  try {
    return { isDone: true, message: await performAct(parts, request) };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { isDone: false, message: error.message };
  }
}
