import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ResourceCall } from '../api-context.ts';
import { badRequest } from '../status/status-errors.ts';
import type { PodContainers } from './pod-containers.ts';
import { type SpdyStream, serveSpdy } from './spdy/index.ts';
import { acceptWebSocket } from './streams/upgraded-request.ts';

const subprotocols = ['SPDY/3.1+portforward.k8s.io'];

interface ForwardedPod {
  readonly pod: Pod;
  readonly containers: PodContainers;
}

/** Serves `pods/portforward`: for each connection the client opens a stream for errors and one for data. */
export async function servePortForward(call: ResourceCall, on: ForwardedPod): Promise<undefined> {
  if (on.pod.status?.phase !== 'Running')
    throw badRequest(
      `unable to forward port because pod is not running. Current status=${on.pod.status?.phase}`,
    );
  const forwarding = new Forwarding(on);
  serveSpdy(await acceptWebSocket(call, subprotocols), (stream) => forwarding.opened(stream));
  return undefined;
}

class Forwarding {
  readonly #on: ForwardedPod;
  readonly #errors = new Map<string, SpdyStream>();

  constructor(on: ForwardedPod) {
    this.#on = on;
  }

  opened(stream: SpdyStream): void {
    const request = stream.headers.get('requestid') ?? '';
    if (stream.headers.get('streamtype') === 'error') this.#errors.set(request, stream);
    else this.#forward(stream, this.#errors.get(request));
  }

  #forward({ headers, data }: SpdyStream, errors: SpdyStream | undefined): void {
    const port = Number(headers.get('port'));
    const { pod, containers } = this.#on;
    const finish = (message = '') => {
      this.#errors.delete(headers.get('requestid') ?? '');
      errors?.data.end(message);
    };
    data.on('close', () => finish());
    try {
      containers.connect(pod, port, data);
    } catch (error) {
      finish(error instanceof Error ? error.message : String(error));
      data.end();
    }
  }
}
