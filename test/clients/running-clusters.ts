import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type KubeletFleet, startKubelets } from '@karpenter/sim';
import {
  builtBinary,
  type ControlPlaneClient,
  connectControlPlane,
  startControlPlane,
} from '@karpenter/testkit/control-plane';
import { quickNode, startEmbeddedCluster } from './embedded-cluster.ts';

/** A cluster as its clients see it, with simulated kubelets. */
export interface RunningCluster extends ControlPlaneClient {
  readonly fleet: KubeletFleet;
  stop(): Promise<void>;
}

/** The embedded cluster, in this process. */
export async function startEmbedded(): Promise<RunningCluster> {
  const cluster = await startEmbeddedCluster();
  const { url, caPem, token, kubeconfig } = cluster.server;
  const home = await mkdtemp(join(tmpdir(), 'embedded-cluster-'));
  const kubeconfigPath = join(home, 'kubeconfig');
  await writeFile(kubeconfigPath, kubeconfig);
  return {
    ...connectControlPlane({ url, caPem, token, kubeconfigPath, binary: await builtBinary() }),
    fleet: cluster.fleet,
    async stop() {
      await cluster.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A separate real control plane: nodes would disturb other tests on the shared one. */
export async function startReal(): Promise<RunningCluster> {
  const plane = await startControlPlane();
  const credentials = tokenCredentials(plane.token);
  const client = connect({ server: plane.url, ca: plane.caPem, credentials }, { qps: 1_000, burst: 1_000 });
  const kubelets = startKubelets({ client, clock: systemClock });
  return {
    ...plane,
    fleet: kubelets.fleet,
    async stop() {
      await kubelets.stop();
      await client.close();
      await plane.stop();
    },
  };
}

/** Adds two nodes, `node-a` and `node-b`; resolves when they are ready. */
export async function addNodes({ fleet, kubectl }: RunningCluster): Promise<void> {
  for (const name of ['node-a', 'node-b']) fleet.start(quickNode(name));
  for (const state of ['create', 'condition=Ready']) {
    const wait = ['wait', 'node/node-a', 'node/node-b', `--for=${state}`, '--timeout=30s'];
    const { code, stderr } = await kubectl(wait);
    if (code !== 0) throw new Error(`nodes did not come: ${stderr}`);
  }
}
