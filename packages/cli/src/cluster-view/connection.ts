import { durationMs } from '@karpenter/core/values';
import { type ClusterConfig, connect, type Exchange, type KubeClient } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { version } from '../version.ts';

/** Which cluster a command reads, as its flags say. */
export interface ClusterChoice {
  /** One path or several, separated as in KUBECONFIG. */
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface ConnectedCluster {
  readonly client: KubeClient;
  /** Address of the API server. */
  readonly server: string;
  /** Of the context, for objects that a user names without one. */
  readonly namespace?: string;
}

/** Somebody waits for the answer: much longer than a large list takes, much shorter than a server may take. */
const requestTimeout = durationMs(20_000);

export async function connectTo(
  choice: ClusterChoice,
  onExchange: (exchange: Exchange) => void = () => undefined,
): Promise<ConnectedCluster> {
  const config = await configOf(choice);
  const client = connect(config, { userAgent: `karpenter/${version}`, requestTimeout, onExchange });
  const { server, namespace } = config;
  return { client, server, ...(namespace !== undefined && { namespace }) };
}

function configOf({ kubeconfig, context }: ClusterChoice): Promise<ClusterConfig> {
  return loadConfig({
    ...(kubeconfig !== undefined && { env: { ...process.env, KUBECONFIG: kubeconfig } }),
    ...(context !== undefined && { context }),
  });
}
