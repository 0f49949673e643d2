import { type ServerExchange, startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';

/** A request as far as faults are chosen by it. */
export interface WireRequest {
  /** `CreateFleet`, of whatever protocol; empty for services that are told by their path. */
  readonly operation: string;
  readonly path: string;
  readonly body: string;
  readonly headers: ServerExchange['headers'];
}

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request in place of the server, changes the server's answer, or has no part in it (undefined). */
export type Fault = (
  request: WireRequest,
  ask: () => Promise<WireReply>,
  exchange: ServerExchange,
) => Promise<WireReply | 'silence' | undefined>;

export interface FaultProxy extends Pick<TestHttpServer, 'url' | 'close'> {
  /** Each request that came, in order. */
  readonly requests: readonly WireRequest[];
}

const silence = 'silence';

/** Stands before a server; the first fault that has a part in a request decides on its answer. */
export async function startFaultProxy(target: string, faults: readonly Fault[]): Promise<FaultProxy> {
  const requests: WireRequest[] = [];
  const answer = async (exchange: ServerExchange) => {
    const request = await wireRequest(exchange);
    requests.push(request);
    const ask = () => forward(target, exchange, request);
    for (const fault of faults) {
      const reply = await fault(request, ask, exchange);
      if (reply === silence) return;
      if (reply !== undefined) return send(exchange, reply);
    }
    send(exchange, await ask());
  };
  const server = await startHttpServer((exchange) => answer(exchange).catch(() => exchange.drop()), {
    protocol: 'http',
  });
  return { url: server.url, close: () => server.close(), requests };
}

async function wireRequest({ url, headers, body }: ServerExchange): Promise<WireRequest> {
  const text = await body();
  const target = String(headers['x-amz-target'] ?? '').split('.')[1];
  const operation = target ?? new URLSearchParams(text).get('Action') ?? '';
  return { operation, path: url.pathname, body: text, headers };
}

/** Of one connection, not of the request. */
const ofConnection = ['connection', 'content-length', 'host'];
const keptOfAnswer = ['content-type', 'x-amzn-requestid', 'x-amzn-query-error', 'x-amzn-errortype'];

async function forward(
  target: string,
  { method, url }: ServerExchange,
  request: WireRequest,
): Promise<WireReply> {
  const headers = Object.entries(request.headers).filter(([name]) => !ofConnection.includes(name));
  const answer = await fetch(new URL(url.pathname + url.search, target), {
    method,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    ...(request.body !== '' && { body: request.body }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => keptOfAnswer.includes(name))),
    body: await answer.text(),
  };
}

function send(exchange: ServerExchange, { status, headers, body }: WireReply): void {
  exchange.start(status, headers);
  exchange.end(body);
}
