import { createCloud, type SimulatedCloud } from '@karpenter/sim/cloud';
import { Account, awsConformanceCases, type NewGroup } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';

/** A new cloud for each case, so that cases do not affect each other. */
function freshAccount(): Account {
  const clock = new VirtualClock();
  const cloud = createCloud({ clock, seed: 1, clusterName: 'prod' });
  return new Account(
    {
      services: cloud.services,
      clusterName: 'prod',
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

describe('the simulated cloud', () => {
  it('has at least eighty conformance cases with distinct titles', () => {
    const titles = awsConformanceCases.map(({ area, title }) => `${area}: ${title}`);
    expect(titles.length).toBeGreaterThanOrEqual(80);
    expect(new Set(titles).size).toBe(titles.length);
  });

  for (const { area, title, run } of awsConformanceCases) {
    it(`${area}: ${title}`, () => run(freshAccount()));
  }
});
