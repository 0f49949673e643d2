import type { AwsEndpoint } from '@karpenter/sim/aws-endpoint';
import type { SimulatedAccount } from '../simulated-account/index.ts';
import type { DevCluster } from './dev-cluster.ts';

/** Where programs reach the simulated account as they reach AWS. */
export interface DevAwsAddress {
  readonly url: string;
  readonly region: string;
}

/** Adds the endpoint to a cluster. If the endpoint cannot listen, the cluster is stopped. */
export async function withAwsEndpoint(
  dev: DevCluster,
  account: SimulatedAccount,
  port: number | undefined,
): Promise<DevCluster> {
  if (port === undefined) return dev;
  const endpoint = await startEndpoint(account, port).catch(async (error: unknown) => {
    await dev.stop();
    throw error;
  });
  const stop = async () => {
    await endpoint.stop();
    await dev.stop();
  };
  return { ...dev, aws: { url: endpoint.url, region: account.region }, stop };
}

/** Imported only here: it loads the schemas of the AWS SDK, which a cluster without the endpoint does not need. */
async function startEndpoint({ cloud }: SimulatedAccount, port: number): Promise<AwsEndpoint> {
  const { startAwsEndpoint } = await import('@karpenter/sim/aws-endpoint');
  return startAwsEndpoint({ cloud, port });
}
