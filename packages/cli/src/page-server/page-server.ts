import { createServer, type IncomingMessage, type Server } from 'node:http';
import { CodedError } from '@karpenter/core/errors';
import { listenOn } from '@karpenter/kube/listening';
import {
  answerError,
  bracketed,
  HttpRefusal,
  isHostName,
  ownHosts,
  pathOf,
  refuseForeign,
  setSecurityHeaders,
} from './http/index.ts';
import type { PageFiles } from './page-files/index.ts';
import type { PageRequest, Route } from './page-routes.ts';

export interface PageServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Further names under which the page answers, with or without a port. */
  readonly allowedHosts: readonly string[];
  readonly files: PageFiles;
  readonly routes: ReadonlyMap<string, Route>;
  /** The flag that chooses another port, for the message if this one is taken. */
  readonly portFlag: string;
}

export interface PageServer {
  /** To open in a browser. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The streams of all tabs, their questions and some reserve; without a limit anyone could exhaust file handles. */
const connectionLimit = 256;
const requestTimeoutMs = 30_000;

/** Listens and answers until it is stopped. Every answer but those of the page itself is JSON. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  refuseUnusableNames(options.allowedHosts);
  const server = createServer({ requestTimeout: requestTimeoutMs });
  server.maxConnections = connectionLimit;
  const port = await listen(server, options);
  const own = ownHosts({ ...options, port });
  server.on('request', (request, response) => {
    void handle(options, own, { request, response }).catch((error: unknown) => answerError(response, error));
  });
  return { url: `http://${browsableHost(options.host)}:${port}`, stop: () => stop(server) };
}

function refuseUnusableNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isHostName(name));
  if (wrong === undefined) return;
  throw new CodedError(
    'invalid-setting',
    `the allowed host ${JSON.stringify(wrong)} is not a host name; write it as page.example.com or page.example.com:8443`,
    { details: { value: wrong } },
  );
}

async function handle(
  { files, routes }: PageServerOptions,
  own: ReturnType<typeof ownHosts>,
  { request, response }: Omit<PageRequest, 'query'>,
): Promise<void> {
  setSecurityHeaders(response);
  const { path, query } = pathOf(request.url ?? '');
  const route = routes.get(path);
  // The page has no login, so it answers only under its own names: otherwise any web site could read it through a
  // browser whose DNS it controls.
  refuseForeign(guarded(request), own, route === undefined ? 'page' : 'api');
  refuseMethod(request, route?.method ?? 'GET');
  if (route !== undefined) await route.handle({ request, response, query });
  else if (files.has(path)) files.answer(path, request, response);
  else
    throw new HttpRefusal(404, 'there is nothing at this path; the page is at /', {
      code: 'unknown-resource',
    });
}

function guarded({ method = '', url = '', headers, headersDistinct }: IncomingMessage) {
  return { method, url, headers, hosts: headersDistinct['host'] ?? [] };
}

function refuseMethod({ method }: IncomingMessage, expected: Route['method']): void {
  const isAllowed = method === expected || (expected === 'GET' && method === 'HEAD');
  if (isAllowed) return;
  const allow = expected === 'GET' ? 'GET, HEAD' : expected;
  throw new HttpRefusal(405, `this path takes ${allow} only`, { headers: { Allow: allow } });
}

/** No browser opens an address that means all interfaces. */
function browsableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' || host === '' ? '127.0.0.1' : bracketed(host);
}

function listen(server: Server, { host, port, portFlag }: PageServerOptions): Promise<number> {
  const sentence = (why: string) =>
    `cannot listen on port ${port} of ${host} for the page: ${why}; choose another with ${portFlag}`;
  return listenOn(server, { host, port, sentence });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
