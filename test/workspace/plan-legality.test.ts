import { isVirtualPod, plan, type Snapshot } from '@karpenter/core/scheduling';
import { checkPlan, type Violation } from '@karpenter/testkit/plan-checker';
import { type RandomCluster, randomCluster, withBuffers } from '@karpenter/testkit/random-clusters';
import { type Batch, batches, seeds } from '@karpenter/testkit/rounds';
import { planOptions } from '@karpenter/testkit/snapshots';
import { workloads } from '@karpenter/testkit/workloads';
import { describe, expect, it } from 'vitest';

const seedsInOneTest = 50;
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
  batch: Batch,
  clusterOf: (seed: number) => RandomCluster,
): Readonly<Record<number, readonly string[]>> {
  const found: Record<number, readonly string[]> = {};
  for (const seed of batch.seeds) {
    const { snapshot, options } = clusterOf(seed);
    const violations = checkPlan(snapshot, plan(snapshot, options), options).filter(
      (violation) => !isAboutRoom(snapshot, violation),
    );
    if (violations.length > 0) found[seed] = violations.map(({ rule, detail }) => `${rule}: ${detail}`);
  }
  return found;
}

describe('plans', () => {
  it.each(batches(seeds({ quick: 100, full: 2000 }), seedsInOneTest))(
    'violate no rule in random clusters $first to $last',
    (batch) => {
      expect(findings(batch, randomCluster)).toEqual({});
    },
  );

  it.each([
    { what: 'a pod stopped waiting for a reservation', seed: 700_662 },
    { what: 'pods gave up more places in a heavier pool than others needed', seed: 810_002 },
    { what: 'a pod waited for a reservation with unused instances', seed: 922_274 },
    { what: 'pods followed others that are in several zones', seed: 922_434 },
    { what: 'a pod left a heavier pool that had room for one more node', seed: 1_402_052 },
  ])('violate no rule in the cluster where $what', ({ seed }) => {
    expect(findings({ first: seed, last: seed, seeds: [seed] }, randomCluster)).toEqual({});
  });

  it('offer existing nodes again where a pod on a reservation has opened their zone', () => {
    const seed = 1_301_366;
    const withVirtual = (each: number) => withBuffers(randomCluster(each), each);
    expect(findings({ first: seed, last: seed, seeds: [seed] }, withVirtual)).toEqual({});
  });

  it.each(batches(seeds({ quick: 50, full: 500 }), seedsInOneTest))(
    'reject no real pod in favour of virtual ones in clusters $first to $last',
    (batch) => {
      expect(findings(batch, (seed) => withBuffers(randomCluster(seed), seed))).toEqual({});
    },
  );

  it('reject no real pod where virtual ones would use the limits better', () => {
    const seed = 611_020;
    const clusterOf = () => withBuffers(randomCluster(seed), seed);
    expect(findings({ first: seed, last: seed, seeds: [seed] }, clusterOf)).toEqual({});
  });

  it.each(workloads)('violate no rule and place every pod in a cluster of $name pods', ({ snapshot }) => {
    const cluster = snapshot(podsOfWorkload);
    const made = plan(cluster, planOptions);
    expect(made.rejections).toEqual([]);
    expect(checkPlan(cluster, made, planOptions)).toEqual([]);
  });
});
