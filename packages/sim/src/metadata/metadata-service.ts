import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { durationMs } from '@karpenter/core/values';
import { listenOn, requestUrl } from '@karpenter/kube/listening';
import type { Clock } from '@karpenter/kube/runtime';
import { type InstanceMetadata, metadataDocument } from './instance-metadata.ts';
import { type MetadataFault, MetadataFaults } from './metadata-faults.ts';
import { SessionTokens } from './session-tokens.ts';

export interface MetadataServiceOptions {
  readonly clock: Clock;
  /** The instance with an ID; undefined if there is none. */
  readonly instance: (id: string) => InstanceMetadata | undefined;
  /** Port on 127.0.0.1; 0, the default, picks a free one. */
  readonly port?: number;
  /** Whether requests without a token are refused; defaults to true, as on nodes of Karpenter. */
  readonly requiresToken?: boolean;
  /** Number of requests that `requests` keeps; defaults to 1,000. */
  readonly mostRequests?: number;
}

/** The instance metadata service of all simulated instances: one address, and a path for each instance. */
export interface MetadataService {
  readonly faults: MetadataFaults;
  readonly tokens: SessionTokens;
  /** The last requests, as `GET /latest/meta-data/instance-id`. */
  readonly requests: readonly string[];
  /** The base URL for one instance, in place of `http://169.254.169.254`. */
  urlOf(instanceId: string): string;
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly tokenSeconds?: number | undefined;
}

const tokenHeader = 'x-aws-ec2-metadata-token';
const lifetimeHeader = `${tokenHeader}-ttl-seconds`;
const instancePath = /^\/(?<id>[^/]+)(?<path>\/.*)$/;

export async function startMetadataService(options: MetadataServiceOptions): Promise<MetadataService> {
  const { clock, port = 0, mostRequests = 1_000 } = options;
  const [faults, tokens] = [new MetadataFaults(), new SessionTokens(clock)];
  const requests: string[] = [];
  const stopped = new AbortController();
  const server = createServer((request, response) => {
    const { pathname } = requestUrl(request);
    const { id = '', path = '' } = instancePath.exec(pathname)?.groups ?? {};
    requests.push(`${request.method} ${path}`);
    if (requests.length > mostRequests) requests.shift();
    const fault = faults.take(path);
    void delayed(clock, fault, stopped.signal).then(() =>
      send(response, fault, replyTo({ request, id, path }, options, tokens)),
    );
  });
  const bound = await listening(server, port);
  return {
    faults,
    tokens,
    requests,
    urlOf: (id) => `http://127.0.0.1:${bound}/${id}`,
    stop: () =>
      new Promise((resolve) => {
        stopped.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function delayed(clock: Clock, fault: MetadataFault | undefined, signal: AbortSignal): Promise<void> {
  if (fault?.delay !== undefined) await clock.sleep(durationMs(fault.delay), signal);
}

interface InstanceRequest {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly path: string;
}

function replyTo(
  { request, id, path }: InstanceRequest,
  options: MetadataServiceOptions,
  tokens: SessionTokens,
): Reply {
  const instance = options.instance(id);
  if (instance === undefined) return { status: 404 };
  if (path === '/latest/api/token') return tokenReply(request, tokens);
  if (request.method !== 'GET') return { status: 405 };
  const token = headerOf(request, tokenHeader);
  if (token === undefined && options.requiresToken !== false) return { status: 401 };
  const tokenSeconds = token === undefined ? undefined : tokens.secondsLeft(token);
  if (token !== undefined && tokenSeconds === undefined) return { status: 401 };
  const body = metadataDocument(path.replace(/^\/latest\//, ''), instance);
  return body === undefined ? { status: 404, tokenSeconds } : { status: 200, body, tokenSeconds };
}

/** A request that a proxy forwarded gets no token: a misconfigured proxy must not hand out credentials. */
function tokenReply(request: IncomingMessage, tokens: SessionTokens): Reply {
  if (request.method !== 'PUT') return { status: 405 };
  if (headerOf(request, 'x-forwarded-for') !== undefined) return { status: 403 };
  const seconds = Number(headerOf(request, lifetimeHeader) ?? Number.NaN);
  const token = tokens.issue(seconds);
  return token === undefined ? { status: 400 } : { status: 200, body: token, tokenSeconds: seconds };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function send(response: ServerResponse, fault: MetadataFault | undefined, reply: Reply): void {
  if (fault?.drops === true) {
    response.destroy();
    return;
  }
  const { tokenSeconds } = reply;
  response.writeHead(fault?.status ?? (fault?.body === undefined ? reply.status : 200), {
    'content-type': 'text/plain',
    ...(tokenSeconds !== undefined && { [lifetimeHeader]: String(tokenSeconds) }),
  });
  response.end(fault?.body ?? (fault?.status === undefined ? (reply.body ?? '') : ''));
}

function listening(server: Server, port: number): Promise<number> {
  const sentence = (why: string) =>
    `cannot serve instance metadata on port ${port}: ${why}; choose another with --metadata-port`;
  return listenOn(server, { port, host: '127.0.0.1', sentence });
}
