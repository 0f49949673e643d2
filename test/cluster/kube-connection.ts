import { type ClientOptions, connect, type KubeClient, tokenCredentials } from '@karpenter/kube/client';
import { onTestFinished } from 'vitest';
import { createNamespace, sharedControlPlane } from './shared-control-plane.ts';

/** How long a test waits for the control plane to do something. */
export const patience = { timeout: 20_000, interval: 20 };

export interface Connection {
  readonly client: KubeClient;
  /** Of this test alone. */
  readonly namespace: string;
  /** Raised when the test ends, or by `stop`. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Our client on the shared control plane, with a namespace to work in. */
export async function connectToPlane(options: ClientOptions = {}): Promise<Connection> {
  const plane = sharedControlPlane();
  const credentials = tokenCredentials(plane.token);
  const client = connect({ server: plane.url, ca: plane.caPem, credentials }, options);
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await client.close();
  });
  const namespace = await createNamespace(plane);
  return { client, namespace, signal: ended.signal, stop: () => ended.abort() };
}
