import type { AwsServices } from '@karpenter/aws/ports';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { VirtualClock } from '../clock/index.ts';
import { Account, type NewGroup } from './account.ts';

interface ConformanceCloud {
  readonly cloud: SimulatedCloud;
  /** Of the cloud. */
  readonly clock: VirtualClock;
  /** How the cases reach the cloud; defaults to its services in this process. */
  readonly services?: AwsServices;
}

/** The account of a simulated cloud as conformance cases see it. */
export function simulatedAccount({ cloud, clock, services }: ConformanceCloud): Account {
  return new Account(
    {
      services: services ?? cloud.services,
      clusterName: cloud.world.cluster.name,
      region: cloud.world.region,
      version: cloud.world.cluster.version,
      createGroup: async (group) => addGroup(cloud, group),
      settle: (milliseconds) => clock.advance(milliseconds),
    },
    'case',
  );
}

function addGroup(cloud: SimulatedCloud, { template, sizes, tags, ...group }: NewGroup): void {
  const found = [...cloud.world.launchTemplates.values()].find(({ name }) => name === template);
  cloud.addAutoScalingGroup({
    ...group,
    ...sizes,
    templateId: found?.id ?? '',
    instanceTypes: [],
    onDemandBase: 0,
    onDemandPercentage: 100,
    tags: new Map(Object.entries(tags)),
  });
}
