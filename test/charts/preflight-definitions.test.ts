import { preflight } from '@karpenter/aws/preflight';
import { inspectedCluster, startSimulatedRun } from '@karpenter/cli/embedded';
import { connect, type KubeClient, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectingLog } from '../walkthroughs/world.ts';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';

const clusterName = 'dev';
const place = '--namespace=kube-system';

let plane: ControlPlane;
let client: KubeClient;
let helm: Helm;
let simulation: ReturnType<typeof startSimulatedRun>;

beforeAll(async () => {
  plane = await startControlPlane();
  const config = { server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) };
  client = connect(config);
  helm = await helmFor(plane.kubeconfigPath);
  const log = collectingLog([], () => Date.now());
  simulation = startSimulatedRun({ config, clusterName, clock: systemClock, log });
}, 60_000);
afterAll(async () => {
  await simulation.stop();
  await helm.close();
  await client.close();
  await plane.stop();
}, 60_000);

/** The verdicts on the definitions. */
async function verdicts(): Promise<readonly string[]> {
  const results = await preflight({
    services: simulation.account.services,
    region: simulation.account.region,
    clusterName,
    nodeRole: `KarpenterNodeRole-${clusterName}`,
    queue: clusterName,
    cluster: await inspectedCluster({ client, server: plane.url }),
  });
  return results.filter(({ check }) => check === 'crds').map(({ verdict }) => verdict);
}

/** A real API server may store a schema otherwise than it was sent. */
describe('preflight on a real API server', () => {
  it('misses each of the five definitions', async () => {
    expect(await verdicts()).toEqual(Array(5).fill('failed'));
  });

  it('finds nothing wrong with the definitions of the chart karpenter-crd, with and without conversion', async () => {
    await helm('install', 'karpenter-crd', chartPaths.definitions, place);
    expect(await verdicts()).toEqual(['passed']);
    await helm('upgrade', 'karpenter-crd', chartPaths.definitions, place, '--set=conversion.enabled=true');
    expect(await verdicts()).toEqual(['passed']);
  });
});
