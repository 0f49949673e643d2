import { plan } from '@karpenter/core/scheduling';
import { checkPlan } from '@karpenter/testkit/plan-checker';
import { randomCluster } from '@karpenter/testkit/random-clusters';
import { describe, expect, it } from 'vitest';

const seeds = Array.from({ length: 600 }, (_, index) => index + 1);

/** Clusters whose plan the checker objects to, and what is known about it. */
const knownFindings: Readonly<Record<number, string>> = {
  139: 'limits are spent on the best value for money, so a pod that would fit alone is left over',
  228: 'variety asks for larger types than the limits were counted with',
  565: 'variety asks for larger types than the limits were counted with',
  574: 'the pod was turned away before another pod made room for it in the spread',
};

const findings = (seed: number) => {
  const { snapshot, options } = randomCluster(seed);
  return checkPlan(snapshot, plan(snapshot, options), options);
};

describe('plans for random clusters', () => {
  it.each(seeds.filter((seed) => !(seed in knownFindings)))('break no rule in cluster %i', (seed) => {
    expect(findings(seed)).toEqual([]);
  });

  it.each(Object.entries(knownFindings))('are still objected to in cluster %s: %s', (seed) => {
    expect(findings(Number(seed))).not.toEqual([]);
  });
});
