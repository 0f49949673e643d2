import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOn, requestUrl } from '@karpenter/kube/listening';
import { type MetricRegistry, measureProcess } from '@karpenter/kube/metrics';
import { type DecisionEndpoint, isDecisionPath, serveDecisions } from './decision-endpoint.ts';
import { serveProfile } from './profiles.ts';
import { writeWithBackpressure } from './slow-response.ts';

export interface EndpointOptions {
  /** 0 for any free one. */
  readonly metricsPort: number;
  readonly healthPort: number;
  /** The address to listen on; defaults to all, because kubelet and Prometheus connect from outside the pod. */
  readonly host?: string;
  readonly registry: MetricRegistry;
  /** Why the process is not ready, for `/readyz`; undefined when it is. */
  readonly obstacle: () => string | undefined;
  readonly isProfiling: boolean;
  /** Served on the metrics port; absent without a decision log. */
  readonly decisions?: DecisionEndpoint;
}

export interface Endpoints {
  readonly metricsPort: number;
  readonly healthPort: number;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Starts the HTTP servers for metrics, profiles, decisions and probes, and collects metrics of the process until
 * `stop`. Throws if a port is taken.
 */
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
    await writeWithBackpressure(response, registry.exposition());
  } else if (isProfiling && pathname.startsWith('/debug/pprof/')) {
    await serveProfile(pathname.slice('/debug/pprof/'.length), searchParams, response);
  } else if (decisions !== undefined && isDecisionPath(pathname)) {
    await serveDecisions(decisions, request, response);
  } else {
    respond(response, 404, 'not found');
  }
}

async function serveHealth(
  { obstacle }: EndpointOptions,
  { url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (url ?? '').split('?')[0];
  if (path === '/healthz') return respond(response, 200, 'ok');
  if (path !== '/readyz') return respond(response, 404, 'not found');
  const reason = obstacle();
  return reason === undefined ? respond(response, 200, 'ok') : respond(response, 500, reason);
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

interface ListenAddress {
  readonly host: string | undefined;
  readonly port: number;
  /** The flag that chooses another port. */
  readonly setting: string;
}

async function listen(address: ListenAddress, handler: Handler) {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: unknown) => {
      if (!response.headersSent) respond(response, 500, String(error));
      else response.destroy();
    });
  });
  const port = await listening(server, address);
  return {
    port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port, setting }: ListenAddress): Promise<number> {
  const sentence = (why: string) => `cannot listen on port ${port}: ${why}; choose another with --${setting}`;
  return listenOn(server, { host, port, setting, sentence });
}
