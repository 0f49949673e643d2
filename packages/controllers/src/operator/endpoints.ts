import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOn, requestUrl } from '@karpenter/kube/listening';
import { type MetricRegistry, measureProcess } from '@karpenter/kube/metrics';
import { type DecisionEndpoint, isDecisionPath, serveDecisions } from './decision-endpoint.ts';
import { serveProfile } from './profiles.ts';
import { writeSlowly } from './slow-response.ts';

export interface EndpointOptions {
  /** 0 for any free one. */
  readonly metricsPort: number;
  readonly healthPort: number;
  /** The address to listen on; all addresses when left out, as the kubelet and Prometheus ask from outside the pod. */
  readonly host?: string;
  readonly registry: MetricRegistry;
  /** Why work cannot begin yet; undefined when it can. */
  readonly obstacle: () => string | undefined;
  readonly isProfiling: boolean;
  /** Served on the metrics port; absent where there is no log of decisions. */
  readonly decisions?: DecisionEndpoint;
}

export interface Endpoints {
  readonly metricsPort: number;
  readonly healthPort: number;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What Prometheus, the kubelet and people with a profiler ask of the process, which is measured until it stops. */
export async function startEndpoints(options: EndpointOptions): Promise<Endpoints> {
  const { host, metricsPort, healthPort } = options;
  const metrics = await listen({ host, port: metricsPort, setting: 'metrics-port' }, (request, response) =>
    serveMetrics(options, request, response),
  );
  try {
    const health = await listen(
      { host, port: healthPort, setting: 'health-probe-port' },
      (request, response) => serveHealth(options, request, response),
    );
    const stopMeasuring = measureProcess(options.registry);
    return {
      metricsPort: metrics.port,
      healthPort: health.port,
      stop: async () => {
        stopMeasuring();
        await Promise.all([metrics.stop(), health.stop()]);
      },
    };
  } catch (error) {
    await metrics.stop();
    throw error;
  }
}

async function serveMetrics(
  { registry, isProfiling, decisions }: EndpointOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = requestUrl(request);
  if (pathname === '/metrics') {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    await writeSlowly(response, registry.exposition());
  } else if (isProfiling && pathname.startsWith('/debug/pprof/')) {
    await serveProfile(pathname.slice('/debug/pprof/'.length), searchParams, response);
  } else if (decisions !== undefined && isDecisionPath(pathname)) {
    await serveDecisions(decisions, request, response);
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

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

interface Socket {
  readonly host: string | undefined;
  readonly port: number;
  /** The flag that chooses another port. */
  readonly setting: string;
}

async function listen(socket: Socket, handler: Handler) {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: unknown) => {
      if (!response.headersSent) answer(response, 500, String(error));
      else response.destroy();
    });
  });
  const port = await listening(server, socket);
  return {
    port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port, setting }: Socket): Promise<number> {
  const sentence = (why: string) => `cannot listen on port ${port}: ${why}; choose another with --${setting}`;
  return listenOn(server, { host, port, setting, sentence });
}
