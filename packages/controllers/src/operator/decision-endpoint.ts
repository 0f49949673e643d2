import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type DecisionKind,
  type DecisionLog,
  type DecisionQuery,
  decisionKinds,
} from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import { nearestName } from '@karpenter/core/values';
import { requestUrl } from '@karpenter/kube/listening';
import { writeWithBackpressure } from './slow-response.ts';

/** The part of the log that the endpoint reads. */
export type DecisionEndpoint = Pick<DecisionLog, 'isOn' | 'ids' | 'get' | 'cluster'>;

const root = '/decisions';
const defaultLimit = 100;
const maxLimit = 1_000;

export function isDecisionPath(pathname: string): boolean {
  return pathname === root || pathname.startsWith(`${root}/`);
}

/**
 * `GET /decisions` (the newest first; `?since=ID&limit=N&kind=KIND`), `GET /decisions/ID` and
 * `GET /decisions/ID/cluster`. Failures are JSON with `code` and `message`.
 */
export async function serveDecisions(
  log: DecisionEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isHead = request.method === 'HEAD';
  if (!isHead && request.method !== 'GET') {
    response.setHeader('Allow', 'GET, HEAD');
    return fail(response, 405, readOnly(request.method ?? ''));
  }
  const url = requestUrl(request);
  try {
    await respond(log, url, { response, isHead });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    fail(response, error.code === 'unknown-decision' ? 404 : 400, error);
  }
}

interface Reply {
  readonly response: ServerResponse;
  readonly isHead: boolean;
}

async function respond(log: DecisionEndpoint, url: URL, reply: Reply): Promise<void> {
  if (!log.isOn) throw switchedOff();
  const [id, part, ...rest] = url.pathname.slice(root.length + 1).split('/');
  if (id === undefined || id === '') return writeList(log, queryOf(url.searchParams), reply);
  const decision = log.get(id);
  if (decision === undefined) throw unknownDecision(id);
  if (part === undefined) return writeJson(reply, [JSON.stringify(decision)]);
  if (part !== 'cluster' || rest.length > 0) throw unknownPath(url.pathname);
  return writeCluster(log, id, reply);
}

function writeList(log: DecisionEndpoint, query: DecisionQuery, reply: Reply): Promise<void> {
  return writeJson(reply, listPieces(log, log.ids(query)));
}

/** Skips decisions that the log drops while the list is being sent. */
function* listPieces(log: DecisionEndpoint, ids: readonly string[]): Iterable<string> {
  let separator = '[';
  for (const id of ids) {
    const decision = log.get(id);
    if (decision === undefined) continue;
    yield `${separator}${JSON.stringify(decision)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function writeJson({ response, isHead }: Reply, pieces: Iterable<string>): Promise<void> {
  response.setHeader('Content-Type', 'application/json');
  if (isHead) return void response.end();
  await writeWithBackpressure(response, pieces);
}

async function writeCluster(log: DecisionEndpoint, id: string, { response, isHead }: Reply): Promise<void> {
  const gzipped = await log.cluster(id);
  if (gzipped === undefined) throw unkeptCluster(id);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', gzipped.length);
  response.end(isHead ? undefined : gzipped);
}

const parameters = ['since', 'limit', 'kind'];

function queryOf(search: URLSearchParams): DecisionQuery {
  for (const name of search.keys())
    if (!parameters.includes(name)) throw invalid(`?${name} is not a parameter`, name, parameters);
  const since = search.get('since');
  const kind = search.get('kind');
  return {
    limit: limitOf(search.get('limit')),
    ...(since !== null && { since }),
    ...(kind !== null && { kind: kindOf(kind) }),
  };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxLimit) return limit;
  throw new CodedError('invalid-setting', `?limit=${text} is not a number from 1 to ${maxLimit}`);
}

function kindOf(text: string): DecisionKind {
  const kind = decisionKinds.find((each) => each === text);
  if (kind === undefined) throw invalid(`?kind=${text} is not a kind of decision`, text, decisionKinds);
  return kind;
}

function invalid(problem: string, name: string, known: readonly string[]): CodedError {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? `choose from ${known.join(', ')}` : `did you mean ${nearest}?`;
  return new CodedError('invalid-setting', `${problem}; ${advice}`);
}

function readOnly(method: string): CodedError {
  return new CodedError('invalid-setting', `decisions can only be read; send GET or HEAD, not ${method}`);
}

function switchedOff(): CodedError {
  return new CodedError('unknown-decision', 'no decisions are kept; set --decision-log-size above 0');
}

function unknownDecision(id: string): CodedError {
  return new CodedError(
    'unknown-decision',
    `there is no decision ${JSON.stringify(id)}, or it was dropped for newer ones; GET ${root} lists what is kept`,
  );
}

function unkeptCluster(id: string): CodedError {
  return new CodedError(
    'unknown-decision',
    `the cluster of decision ${id} is not kept; only the last plans and disruptions have one, as many as --decision-log-clusters says`,
  );
}

function unknownPath(pathname: string): CodedError {
  return new CodedError(
    'unknown-decision',
    `there is nothing at ${pathname}; a decision has only ${root}/ID/cluster below it`,
  );
}

function fail(response: ServerResponse, status: number, { code, message }: CodedError): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ code, message }));
}
