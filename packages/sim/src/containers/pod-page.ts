import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from 'kubernetes-types/core/v1.js';

/**
 * Serves HTTP for simulated pods, with a few lines that name the pod: on the ports that its containers declare, or on
 * any port if they declare none, because Kubernetes does not require them to.
 */
export class PodPages {
  readonly #server: Server = createServer();
  readonly #pods = new WeakMap<object, PodPort>();

  constructor() {
    this.#server.on('request', (request, response) => {
      const page = this.#pods.get(request.socket);
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
      response.end(page === undefined ? '' : text(page, `${request.method} ${request.url}`));
    });
  }

  /** Throws if the containers declare other ports only. */
  connect(pod: Pod, port: number, connection: Duplex): void {
    const declared = (pod.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
    const open = declared.map(({ containerPort }) => containerPort);
    if (open.length > 0 && !open.includes(port)) throw new Error(closedText(pod, port, open));
    this.#pods.set(connection, { pod, port });
    // The server does not listen; it reads connections that it is given.
    this.#server.emit('connection', connection);
  }
}

interface PodPort {
  readonly pod: Pod;
  readonly port: number;
}

function text({ pod, port }: PodPort, request: string): string {
  const { metadata, spec, status } = pod;
  return [
    `simulated pod ${metadata?.namespace}/${metadata?.name}, port ${port}: ${request}`,
    `node ${spec?.nodeName ?? 'none'}, address ${status?.podIP ?? 'none'}`,
    'No process runs in this pod; the simulation answers for it.',
    '',
  ].join('\n');
}

function closedText({ metadata }: Pod, port: number, open: readonly number[]): string {
  return `nothing listens on port ${port} of the simulated pod ${metadata?.namespace}/${metadata?.name}: its containers declare ${open.join(', ')}`;
}
