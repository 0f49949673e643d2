import { once } from 'node:events';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http2';
import { Agent, request as forward } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf } from '@karpenter/kube/certificates';
import { outsideHttp2Callbacks } from '@karpenter/kube/client';
import type { Records } from './records.ts';

export interface RecordedApi {
  readonly url: string;
  readonly ca: string;
  close(): Promise<void>;
}

export interface RecordedApiOptions {
  readonly upstream: { readonly url: string; readonly ca: string };
  readonly writer: string;
  readonly records: Records;
}

const validity = { from: Date.now(), lasts: durationMs(86_400_000) };
const authority = createAuthority('recorded API servers', validity);
const names = ['127.0.0.1'];
const serving = createLeaf(authority, { ...validity, commonName: 'server', usage: 'server', names });

/** An API server over HTTP/2 for one process; records every write under the name of the process. */
export async function recordedApi(options: RecordedApiOptions): Promise<RecordedApi> {
  const agent = new Agent({ keepAlive: true, ca: options.upstream.ca });
  const server = createSecureServer(serving, (request, response) => {
    // The client may be gone before the reply.
    relay(request, response, { ...options, agent }).catch(() =>
      outsideHttp2Callbacks(() => response.stream.destroy()),
    );
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority.cert,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await outsideHttp2Callbacks(() => {
        for (const socket of sockets) socket.destroy();
      });
      await closed;
      agent.destroy();
    },
  };
}

async function relay(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { upstream, writer, records, agent }: RecordedApiOptions & { readonly agent: Agent },
): Promise<void> {
  const { method, url, headers } = request;
  const body = method === 'GET' ? Buffer.alloc(0) : await buffer(request);
  if (method === 'GET') records.apiQuestion(writer, url);
  const answered =
    method === 'GET' ? undefined : records.apiRequest(writer, `${method} ${url}`, String(body));
  const sent = forward(new URL(url, upstream.url), {
    agent,
    method,
    headers: { ...passedOn(headers), 'content-length': body.length },
  });
  response.on('close', () => sent.destroy());
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answered?.(answer.statusCode);
  // Flushes the headers at once, because a watch may have no event for minutes.
  const { stream } = response;
  stream.respond({ ':status': answer.statusCode, 'content-type': answer.headers['content-type'] ?? '' });
  for await (const part of answer) stream.write(part);
  stream.end();
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const { accept = '', authorization = '', 'user-agent': agent = '', 'content-type': type } = headers;
  return {
    accept,
    authorization,
    'user-agent': agent,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
}
