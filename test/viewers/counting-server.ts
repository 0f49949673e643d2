import { once } from 'node:events';
import { createServer, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ServerBehind {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

/** Passes requests on to an API server and counts those that could change something. */
export interface CountingServer {
  readonly url: string;
  readonly reads: () => number;
  readonly writes: () => number;
  close(): Promise<void>;
}

export async function startCountingServer(behind: ServerBehind): Promise<CountingServer> {
  const counts = { reads: 0, writes: 0 };
  const server = createServer((request, response) => {
    if (request.method === 'GET') counts.reads += 1;
    else counts.writes += 1;
    forward(request, response, behind);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reads: () => counts.reads,
    writes: () => counts.writes,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { url, caPem, token }: ServerBehind,
): void {
  const send = url.startsWith('https:') ? secureRequest : plainRequest;
  const { host: _host, authorization = `Bearer ${token}`, ...headers } = request.headers;
  const passed = send(
    new URL(request.url ?? '/', url),
    { method: request.method, headers: { ...headers, authorization }, ca: caPem },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
