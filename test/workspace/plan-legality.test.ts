import { isVirtualPod, plan, type Snapshot } from '@karpenter/core/scheduling';
import { checkPlan, type Violation } from '@karpenter/testkit/plan-checker';
import { type RandomCluster, randomCluster, withBuffers } from '@karpenter/testkit/random-clusters';
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

/**
 * Virtual pods leave a NodePool as a whole where its limits are tight, so they may be rejected or placed
 * elsewhere without need.
 */
const rulesWaivedForRoom: readonly string[] = ['false-rejection', 'weight'];

const isAboutRoom = (snapshot: Snapshot, { rule, pod }: Violation) =>
  rulesWaivedForRoom.includes(rule) &&
  snapshot.pods.some((each) => each.metadata.uid === pod && isVirtualPod(each));

function findings(
  { first, last }: { readonly first: number; readonly last: number },
  clusterOf: (seed: number) => RandomCluster,
): Readonly<Record<number, readonly string[]>> {
  const found: Record<number, readonly string[]> = {};
  for (let seed = first; seed <= last; seed++) {
    const { snapshot, options } = clusterOf(seed);
    const violations = checkPlan(snapshot, plan(snapshot, options), options).filter(
      (violation) => !isAboutRoom(snapshot, violation),
    );
    if (violations.length > 0) found[seed] = violations.map(({ rule, detail }) => `${rule}: ${detail}`);
  }
  return found;
}

describe('plans', () => {
  it.each(batches)('break no rule in random clusters $first to $last', (batch) => {
    expect(findings(batch, randomCluster)).toEqual({});
  });

  it.each(batches.slice(0, 5))(
    'reject no real pod in favour of buffers in clusters $first to $last',
    (batch) => {
      expect(findings(batch, (seed) => withBuffers(randomCluster(seed), seed))).toEqual({});
    },
  );

  it.each(workloads)('break no rule and place every pod in a cluster of $name pods', ({ snapshot }) => {
    const cluster = snapshot(podsOfWorkload);
    const made = plan(cluster, planOptions);
    expect(made.rejections).toEqual([]);
    expect(checkPlan(cluster, made, planOptions)).toEqual([]);
  });
});
