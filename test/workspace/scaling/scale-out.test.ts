import { isConditionTrue } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { afterEach, describe, expect, it } from 'vitest';
import type { CloudWorld, WorldOptions } from '../../walkthroughs/world.ts';
import { areRunning, poolWith, until, worldWithPool } from './scaled-world.ts';
import { createDeployments, even, mixed, type Workload } from './workloads.ts';

// Deployments that spread over zones, from an empty cluster: one plan covers all of them. Launches, joins and
// bindings until the last pod runs, in whatever order, must not cause another node.

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const pods = 120;

/** Without disruption, so that the provisioner creates every NodeClaim. */
const pool = poolWith({
  consolidationPolicy: 'WhenEmpty',
  consolidateAfter: 'Never',
  budgets: [{ nodes: '0' }],
});

async function begin(options: WorldOptions, workload: Workload): Promise<CloudWorld> {
  const begun = await worldWithPool(options, pool);
  world = begun;
  await createDeployments(begun, workload, { pods });
  return begun;
}

async function areAllInitialized(on: CloudWorld): Promise<boolean> {
  const claims = await on.nodeClaims();
  const isInitialized = ({ status }: (typeof claims)[number]) =>
    isConditionTrue({ conditions: status?.conditions ?? [] }, 'Initialized');
  return claims.length > 0 && claims.every(isInitialized);
}

/** Number of NodeClaims of each plan. */
function planned({ log }: CloudWorld): readonly number[] {
  const plans = log.filter(({ message }) => message === 'computed new nodeclaim(s) to fit pod(s)');
  return plans.map(({ nodeclaims }) => Number(nodeclaims));
}

const created = ({ log }: CloudWorld) => log.filter(({ message }) => message === 'created nodeclaim').length;

describe('deployments with zone spread, from an empty cluster', () => {
  it.each(seeds({ quick: 1, full: 2 }))(
    'are planned once while their nodes launch, however long that takes (seed %i)',
    async (seed) => {
      const boots = { bootDelay: durationMs(30_000), bootJitter: durationMs(10_000) };
      const begun = await begin({ seed, ...boots }, mixed(new SeededRandom(seed)));
      await until(begun, 'all nodes initialized', () => areAllInitialized(begun));
      expect(planned(begun)).toEqual([created(begun)]);
      await until(begun, 'all pods running', () => areRunning(begun, pods));
    },
    900_000,
  );

  it.each([
    { seed: 3, jitter: 0 },
    { seed: 4, jitter: 4_000 },
  ])(
    'get the nodes of exactly one plan until all pods run (seed $seed, boots up to $jitter ms apart)',
    async ({ seed, jitter }) => {
      const begun = await begin({ seed, bootJitter: durationMs(jitter) }, even(new SeededRandom(seed)));
      await until(begun, 'all pods running', () => areRunning(begun, pods));
      expect(planned(begun)).toEqual([created(begun)]);
      expect(await begun.nodeClaims()).toHaveLength(created(begun));
    },
    900_000,
  );
});
