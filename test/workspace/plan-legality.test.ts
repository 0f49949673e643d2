import { plan } from '@karpenter/core/scheduling';
import { checkPlan } from '@karpenter/testkit/plan-checker';
import { randomCluster } from '@karpenter/testkit/random-clusters';
import { planOptions } from '@karpenter/testkit/snapshots';
import { workloads } from '@karpenter/testkit/workloads';
import { describe, expect, it } from 'vitest';

/** `PLAN_SEEDS=20001-40000 npx vitest run --project unit plan-legality` looks at other clusters, or more of them. */
const [from = 1, to = 2000] = (process.env['PLAN_SEEDS'] ?? '1-2000').split('-').map(Number);
const seedsInOneTest = 100;
const batches = Array.from({ length: Math.ceil((to - from + 1) / seedsInOneTest) }, (_, index) => {
  const first = from + index * seedsInOneTest;
  return { first, last: Math.min(to, first + seedsInOneTest - 1) };
});

const podsOfWorkload = 600;

function findingsInRandomClusters(first: number, last: number): Readonly<Record<number, readonly string[]>> {
  const found: Record<number, readonly string[]> = {};
  for (let seed = first; seed <= last; seed++) {
    const { snapshot, options } = randomCluster(seed);
    const violations = checkPlan(snapshot, plan(snapshot, options), options);
    if (violations.length > 0) found[seed] = violations.map(({ rule, detail }) => `${rule}: ${detail}`);
  }
  return found;
}

describe('plans', () => {
  it.each(batches)('break no rule in random clusters $first to $last', ({ first, last }) => {
    expect(findingsInRandomClusters(first, last)).toEqual({});
  });

  it.each(workloads)('break no rule and leave nobody out in a cluster of $name pods', ({ snapshot }) => {
    const cluster = snapshot(podsOfWorkload);
    const made = plan(cluster, planOptions);
    expect(made.rejections).toEqual([]);
    expect(checkPlan(cluster, made, planOptions)).toEqual([]);
  });
});
