import type { Snapshot } from '@karpenter/core/scheduling';
import { describe, expect, it } from 'vitest';
import { randomCluster } from '../random-clusters/index.ts';
import { seeds } from '../rounds/index.ts';
import { checkPlan } from './index.ts';
import { naivePlan } from './trial/naive-plan.ts';

/** The naive planner names one instance type per node, so it cannot offer several to choose from. */
function withoutMinValues(snapshot: Snapshot): Snapshot {
  const nodePools = snapshot.nodePools.map((pool) => {
    const { template } = pool.spec;
    const requirements = template.spec.requirements.filter(({ minValues }) => minValues === undefined);
    const spec = { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } };
    return { ...pool, spec };
  });
  return { ...snapshot, nodePools };
}

describe('the plan checker', () => {
  it('finds nothing wrong with a planner that looks at one pod at a time', () => {
    for (const seed of seeds({ quick: 100, full: 300 })) {
      const { snapshot: cluster, options } = randomCluster(seed);
      const snapshot = withoutMinValues(cluster);
      const plan = naivePlan(snapshot, options);
      expect(checkPlan(snapshot, plan, options), `seed ${seed}`).toEqual([]);
    }
  });
});
