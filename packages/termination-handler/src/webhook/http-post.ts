import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

export interface Post {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Posts a body, through a proxy if there is one. Returns the status of the answer. */
export async function post(options: Post): Promise<number> {
  const request = options.proxy === undefined ? direct(options) : await throughProxy(options, options.proxy);
  return statusOf(request, options.body);
}

function direct({ url, headers, signal }: Post): ClientRequest {
  return requestOf(url)(url, { method: 'POST', headers, signal });
}

/** Plain requests name their whole address to the proxy; encrypted ones go through a tunnel. */
async function throughProxy(options: Post, proxy: URL): Promise<ClientRequest> {
  const { url, headers, signal } = options;
  if (url.protocol === 'http:') {
    const all = { ...headers, host: url.host, ...proxyHeaders(proxy) };
    return requestOf(proxy)(proxy, { method: 'POST', path: url.href, headers: all, signal });
  }
  const socket = await tunnel(options, proxy);
  // A server name cannot be an address; `host` is what the certificate is compared with then.
  const name = isIP(url.hostname) === 0 ? { servername: url.hostname } : {};
  const createConnection = () => connectTls({ socket, host: url.hostname, ...name });
  return secureRequest(url, { method: 'POST', headers, signal, createConnection });
}

function tunnel({ url, signal }: Post, proxy: URL): Promise<Duplex> {
  const path = `${url.hostname}:${url.port || '443'}`;
  const headers = { host: path, ...proxyHeaders(proxy) };
  const request = requestOf(proxy)(proxy, { method: 'CONNECT', path, headers, signal });
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('connect', ({ statusCode }: IncomingMessage, socket: Duplex) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answered with status ${statusCode}`));
    });
    request.end();
  });
}

function requestOf({ protocol }: URL): typeof plainRequest {
  return protocol === 'https:' ? secureRequest : plainRequest;
}

function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function statusOf(request: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end(body);
  });
}
