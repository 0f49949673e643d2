import { randomBytes } from 'node:crypto';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { type ActRequest, actUsage, isAct, isNodeAct, takesArguments } from './controls.ts';

// An act is requested by a ConfigMap: whoever may write to the cluster may ask, from any process. The process with the
// simulated account adds the outcome, and the one that asked reads it and deletes the ConfigMap. The question which
// faults are in force is asked in the same way.

const namespace = 'kube-system';
const requestLabel = 'simulated-cloud/request';
const pollEvery = durationMs(100);
/** Much longer than an act takes, since the process with the account may be busy. */
const answersWithin = durationMs(30_000);

/** The question which faults are in force; the message of its outcome is the text of the ConfigMap they are from. */
export const faultsQuestion = 'faults-in-force';

/** What a ConfigMap can ask for. */
export type AccountRequest = ActRequest | typeof faultsQuestion;

/** What became of a request: `message` says what happened, or why nothing did. */
export interface ActOutcome {
  readonly isDone: boolean;
  readonly message: string;
}

interface RequestParts {
  readonly client: KubeClient;
  readonly clock: Clock;
}

/** Has the simulated account of the cluster do something, and returns what happened. Throws if nothing did. */
export async function requestAct(parts: RequestParts, request: ActRequest): Promise<string> {
  const outcome = await outcomeOf(parts, request);
  if (outcome?.isDone === true) return outcome.message;
  throw outcome === undefined ? unanswered(request) : new CodedError('act-refused', outcome.message);
}

/**
 * The text of the ConfigMap whose faults are in force in the simulated account of the cluster, after every earlier
 * change of it; empty if there is none. Undefined if no simulated account answers.
 */
export async function faultsInForce(parts: RequestParts): Promise<string | undefined> {
  return (await outcomeOf(parts, faultsQuestion))?.message;
}

async function outcomeOf(
  { client, clock }: RequestParts,
  request: AccountRequest,
): Promise<ActOutcome | undefined> {
  const key = { namespace, name: `simulated-cloud-request-${randomBytes(5).toString('hex')}` };
  const label = request === faultsQuestion ? faultsQuestion : request.act;
  await client.create(kinds.configMap, {
    metadata: { ...key, labels: { [requestLabel]: label } },
    data: { request: JSON.stringify(request) },
  });
  try {
    return await answered({ client, clock }, key);
  } finally {
    await client.delete(kinds.configMap, key).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function answered(
  { client, clock }: RequestParts,
  key: { readonly namespace: string; readonly name: string },
): Promise<ActOutcome | undefined> {
  const end = clock.now() + answersWithin;
  while (clock.now() < end) {
    const found = await client.get(kinds.configMap, key);
    const { outcome, message = '' } = found.data ?? {};
    if (outcome !== undefined) return { isDone: outcome === 'done', message };
    await clock.sleep(pollEvery, new AbortController().signal);
  }
  return undefined;
}

function unanswered({ act }: ActRequest): CodedError {
  return new CodedError(
    'no-simulated-cloud',
    `${act} was not done: no simulated cloud answered for this cluster; start karpenter dev, or karpenter controller --cloud simulated on it`,
  );
}

/** The request of a ConfigMap that has no outcome yet; undefined for other ConfigMaps. */
export function openRequest({ metadata, data }: ConfigMap): AccountRequest | undefined {
  const isRequest = metadata?.namespace === namespace && metadata.labels?.[requestLabel] !== undefined;
  return isRequest && data?.['outcome'] === undefined ? readRequest(data?.['request'] ?? '') : undefined;
}

/** Writes the outcome where the one who asked looks for it. */
export async function answerRequest(
  client: KubeClient,
  { metadata }: ConfigMap,
  { isDone, message }: ActOutcome,
): Promise<void> {
  const data = { outcome: isDone ? 'done' : 'refused', message };
  const key = { namespace, name: metadata?.name ?? '' };
  await client.patch(kinds.configMap, key, { type: 'merge', body: { data } }).catch((error: unknown) => {
    // The one who asked has given up.
    if (!isNotFound(error)) throw error;
  });
}

function readRequest(text: string): AccountRequest | undefined {
  try {
    const request: unknown = JSON.parse(text);
    if (request === faultsQuestion) return request;
    const { act, args } = request as { readonly act: unknown; readonly args: unknown };
    const isReadable = typeof act === 'string' && isAct(act) && Array.isArray(args);
    return isReadable ? checkedRequest(act, args.map(String)) : undefined;
  } catch {
    return undefined;
  }
}

/** An act with its arguments. Throws a CodedError that says how the act is written. */
export function checkedRequest(act: string, args: readonly string[]): ActRequest {
  if (!isAct(act))
    throw new CodedError(
      'invalid-setting',
      `${JSON.stringify(act)} cannot be done to a simulated cloud; karpenter faults --help lists what can`,
      { details: { act } },
    );
  if (takesArguments(act, args.length)) return { act, args: isNodeAct(act) ? args.map(nodeName) : args };
  throw new CodedError(
    'invalid-setting',
    `${act} cannot be done with ${args.length} arguments; write: karpenter faults do ${actUsage(act)}`,
    { details: { act } },
  );
}

/** `kubectl get nodes -o name` writes `node/NAME`, and no name has a slash. */
function nodeName(text: string): string {
  return text.replace(/^nodes?\//, '');
}
