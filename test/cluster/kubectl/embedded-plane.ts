import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlaneClient, connectControlPlane } from '@karpenter/testkit/control-plane';
import { type EmbeddedCluster, startEmbeddedCluster } from '../../clients/embedded-cluster.ts';

export interface EmbeddedPlane extends ControlPlaneClient {
  readonly cluster: EmbeddedCluster;
  stop(): Promise<void>;
}

/** The embedded cluster as kubectl of `binary` sees it. */
export async function startEmbeddedPlane(binary: string): Promise<EmbeddedPlane> {
  const cluster = await startEmbeddedCluster();
  const { url, caPem, token, kubeconfig } = cluster.server;
  const home = await mkdtemp(join(tmpdir(), 'embedded-plane-'));
  const kubeconfigPath = join(home, 'kubeconfig');
  await writeFile(kubeconfigPath, kubeconfig);
  return {
    ...connectControlPlane({ url, caPem, token, kubeconfigPath, binary }),
    cluster,
    async stop() {
      await cluster.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
