import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { CodedError } from '@karpenter/core/errors';
import type { MetricRegistry } from './metrics/index.ts';
import { serveProfile } from './profiles.ts';

export interface EndpointOptions {
  /** 0 for any free one. */
  readonly metricsPort: number;
  readonly healthPort: number;
  readonly registry: MetricRegistry;
  /** Why work cannot begin yet; undefined when it can. */
  readonly obstacle: () => string | undefined;
  readonly isProfiling: boolean;
}

export interface Endpoints {
  readonly metricsPort: number;
  readonly healthPort: number;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What Prometheus, the kubelet and people with a profiler ask of the process. */
export async function startEndpoints(options: EndpointOptions): Promise<Endpoints> {
  const metrics = await listen(options.metricsPort, 'metrics-port', (request, response) =>
    serveMetrics(options, request, response),
  );
  try {
    const health = await listen(options.healthPort, 'health-probe-port', (request, response) =>
      serveHealth(options, request, response),
    );
    return {
      metricsPort: metrics.port,
      healthPort: health.port,
      stop: async () => {
        await Promise.all([metrics.stop(), health.stop()]);
      },
    };
  } catch (error) {
    await metrics.stop();
    throw error;
  }
}

async function serveMetrics(
  { registry, isProfiling }: EndpointOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/metrics') {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    await writeSlowly(response, registry.exposition());
  } else if (isProfiling && pathname.startsWith('/debug/pprof/')) {
    await serveProfile(pathname.slice('/debug/pprof/'.length), searchParams, response);
  } else {
    answer(response, 404, 'not found');
  }
}

async function serveHealth(
  { obstacle }: EndpointOptions,
  { url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (url ?? '').split('?')[0];
  if (path === '/healthz') return answer(response, 200, 'ok');
  if (path !== '/readyz') return answer(response, 404, 'not found');
  const reason = obstacle();
  return reason === undefined ? answer(response, 200, 'ok') : answer(response, 500, reason);
}

/** Some hundred lines, a few milliseconds' worth: on a large cluster there are hundreds of times as many. */
const pieceLength = 256 * 1024;

/** Lets other work in after each piece, and makes the next only when the reader has taken this one. */
async function writeSlowly(response: ServerResponse, lines: Iterable<string>): Promise<void> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    if (!response.write(piece)) await drained(response);
    await setImmediate();
    if (response.destroyed) return;
    piece = '';
  }
  response.end(piece);
}

/** Or the reader is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

async function listen(port: number, setting: string, handler: Handler) {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: unknown) => {
      if (!response.headersSent) answer(response, 500, String(error));
      else response.destroy();
    });
  });
  await listening(server, port, setting);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot listen on port ${port}: ${cause.message}; choose another with --${setting}`;
      reject(new CodedError('port-in-use', message, { details: { port, setting }, cause }));
    });
    server.listen(port, () => resolve());
  });
}
