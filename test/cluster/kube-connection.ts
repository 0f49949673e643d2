import {
  type ClientOptions,
  connect,
  type KubeClient,
  kinds,
  tokenCredentials,
} from '@karpenter/kube/client';
import { afterAll, beforeAll, describe, onTestFinished, vi } from 'vitest';
import { type EmbeddedCluster, startEmbeddedCluster } from '../clients/embedded-cluster.ts';
import { sharedControlPlane, unusedName } from './shared-control-plane.ts';

/** How long a test waits for an effect of the control plane. */
export const patience = { timeout: 20_000, interval: 20 };

export interface Connection {
  readonly client: KubeClient;
  /** Belongs to this test only. */
  readonly namespace: string;
  /** Aborted when the test ends, or by `stop`. */
  readonly signal: AbortSignal;
  stop(): void;
}

export type ConnectToPlane = (options?: ClientOptions) => Promise<Connection>;

/** Registers the tests twice: the embedded API server must behave as the real one. */
export function onEachServer(title: string, tests: (connectToPlane: ConnectToPlane) => void): void {
  describe(title.replace('%s', 'a real API server'), () => tests(connectToPlane));
  describe(title.replace('%s', 'the embedded API server'), () => {
    let cluster: EmbeddedCluster;
    beforeAll(async () => {
      cluster = await startEmbeddedCluster();
    });
    afterAll(() => cluster.stop());
    tests((options) => connectTo(cluster.server, options));
  });
}

/** Our client on the shared control plane, with a namespace of its own. */
export function connectToPlane(options?: ClientOptions): Promise<Connection> {
  return connectTo(sharedControlPlane(), options);
}

interface Server {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

async function connectTo(server: Server, options: ClientOptions = {}): Promise<Connection> {
  const credentials = tokenCredentials(server.token);
  const client = connect({ server: server.url, ca: server.caPem, credentials }, options);
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await client.close();
  });
  const namespace = unusedName();
  await client.create(kinds.namespace, { metadata: { name: namespace } });
  await vi.waitFor(() => client.get(kinds.serviceAccount, { namespace, name: 'default' }), patience);
  return { client, namespace, signal: ended.signal, stop: () => ended.abort() };
}
