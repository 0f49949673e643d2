import { createCloud } from '@karpenter/sim/cloud';
import { type Account, awsConformanceCases, simulatedAccount } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';

/** A new cloud for each case, so that cases do not affect each other. */
function freshAccount(): Account {
  const clock = new VirtualClock();
  return simulatedAccount({ clock, cloud: createCloud({ clock, seed: 1, clusterName: 'prod' }) });
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
