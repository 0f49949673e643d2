import { awsServices } from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import { startAwsEndpoint } from '@karpenter/sim/aws-endpoint';
import { createCloud, type SimulatedCloud } from '@karpenter/sim/cloud';
import { type Account, simulatedAccount } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';

/** A simulated account that is reached as AWS is: by the SDK, over HTTP. */
export interface ServedAccount {
  readonly url: string;
  readonly cloud: SimulatedCloud;
  readonly clock: VirtualClock;
  readonly aws: AwsServices;
  readonly account: Account;
  close(): Promise<void>;
}

export async function serveAccount(): Promise<ServedAccount> {
  const clock = new VirtualClock();
  const cloud = createCloud({ clock, seed: 1, clusterName: 'prod' });
  const { url, stop } = await startAwsEndpoint({ cloud });
  const restore = setCredentials();
  const aws = awsServices({ region: cloud.world.region, version: '1.2.3', endpoint: url });
  return {
    url,
    cloud,
    clock,
    aws,
    account: simulatedAccount({ cloud, clock, services: aws }),
    async close() {
      restore();
      await stop();
    },
  };
}

/** The SDK wants some; which does not matter. */
function setCredentials(): () => void {
  const kept = { ...process.env };
  process.env['AWS_ACCESS_KEY_ID'] = 'anybody';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'anything';
  return () => {
    process.env = kept;
  };
}
