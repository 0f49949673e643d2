import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import {
  FleetUsage,
  type KubeletFleet,
  SimulatedContainers,
  type SimulatedNode,
  startClusterControllers,
  startKubelets,
} from '@karpenter/sim';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';

/** The embedded API server with its scheduler and controllers, and kubelets that have no nodes yet. */
export interface EmbeddedCluster {
  readonly server: ApiServer;
  readonly client: KubeClient;
  readonly fleet: KubeletFleet;
  stop(): Promise<void>;
}

export async function startEmbeddedCluster(): Promise<EmbeddedCluster> {
  const usage = new FleetUsage();
  const server = await startApiServer({ metrics: usage, containers: new SimulatedContainers() });
  const credentials = tokenCredentials(server.token);
  const connection = { server: server.url, ca: server.caPem, credentials };
  const clientOf = (userAgent: string) => connect(connection, { userAgent, qps: 100_000, burst: 100_000 });
  const client = clientOf('kube-controller-manager');
  const kubeletClient = clientOf('kubelet');
  const controllers = startClusterControllers({ client, clock: systemClock, seed: 1 });
  const kubelets = startKubelets({ client: kubeletClient, clock: systemClock });
  usage.fleet = kubelets.fleet;
  return {
    server,
    client,
    fleet: kubelets.fleet,
    async stop() {
      await Promise.all([kubelets.stop(), controllers.stop()]);
      await Promise.all([client.close(), kubeletClient.close()]);
      await server.stop();
    },
  };
}

const soon = durationMs(50);

/** A node whose pods start quickly: tests wait for them in real time. */
export function quickNode(name: string): SimulatedNode {
  return {
    name,
    providerID: `aws:///us-west-2a/${name}`,
    capacity: { cpu: '4', memory: '16Gi', pods: '30', 'ephemeral-storage': '100Gi' },
    zone: 'us-west-2a',
    region: 'us-west-2',
    instanceType: 'm5.xlarge',
    pods: { create: soon, init: soon, ready: soon, run: soon, stop: soon },
  };
}
