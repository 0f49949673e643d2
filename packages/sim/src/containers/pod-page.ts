import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from 'kubernetes-types/core/v1.js';

/** Answers HTTP on every port that a container of the pod declares, with a few lines that name the pod. */
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

  /** Throws if no container declares the port. */
  connect(pod: Pod, port: number, connection: Duplex): void {
    const declared = (pod.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
    const isOpen = declared.some(({ containerPort }) => containerPort === port);
    if (!isOpen)
      throw new Error(
        closedText(
          pod,
          port,
          declared.map(({ containerPort }) => containerPort),
        ),
      );
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
  const ports =
    open.length === 0 ? 'its containers declare no ports' : `its containers declare ${open.join(', ')}`;
  return `nothing listens on port ${port} of the simulated pod ${metadata?.namespace}/${metadata?.name}: ${ports}`;
}
