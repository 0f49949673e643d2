import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOn } from '@karpenter/kube/listening';
import type { MetricRegistry } from '@karpenter/kube/metrics';
import type { AgentSettings } from '../settings/index.ts';

export interface AgentEndpoints {
  /** Ports that are served; undefined for a server that is off. */
  readonly metricsPort: number | undefined;
  readonly probesPort: number | undefined;
  stop(): Promise<void>;
}

interface Endpoint {
  readonly port: number;
  /** The flag that chooses another port. */
  readonly setting: string;
  readonly path: string;
  readonly answer: (response: ServerResponse) => void;
}

/** Serves metrics and the liveness probe, each on its own port, where the settings ask for them. */
export async function startAgentEndpoints(
  settings: AgentSettings,
  registry: MetricRegistry,
): Promise<AgentEndpoints> {
  const servers: Server[] = [];
  const stop = async () => {
    await Promise.all(servers.map(stopServer));
  };
  const start = async (isWanted: boolean, endpoint: Endpoint): Promise<number | undefined> => {
    if (!isWanted) return undefined;
    const server = await serve(endpoint);
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  try {
    const metricsPort = await start(settings.enablePrometheusServer, metricsEndpoint(settings, registry));
    const probesPort = await start(settings.enableProbesServer, probesEndpoint(settings));
    return { metricsPort, probesPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function metricsEndpoint({ prometheusServerPort: port }: AgentSettings, registry: MetricRegistry): Endpoint {
  const answer = (response: ServerResponse) => {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end([...registry.exposition()].join(''));
  };
  return { port, setting: 'prometheus-server-port', path: '/metrics', answer };
}

function probesEndpoint({ probesServerPort: port, probesServerEndpoint: path }: AgentSettings): Endpoint {
  const answer = (response: ServerResponse) => {
    response.setHeader('Content-Type', 'application/json');
    response.end('{"health":"OK"}');
  };
  return { port, setting: 'probes-server-port', path, answer };
}

function serve({ port, setting, path, answer }: Endpoint): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] === path) return answer(response);
    response.statusCode = 404;
    response.end('not found');
  });
  const sentence = (why: string) => `cannot listen on port ${port}: ${why}; choose another with --${setting}`;
  return listenOn(server, { port, setting, sentence }).then(() => server);
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
