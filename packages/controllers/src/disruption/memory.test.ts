import { BudgetLedger, findCandidates, poolBudgets } from '@karpenter/core/disruption';
import {
  clusterTime,
  disruptableCluster,
  disruptedPool,
  machine,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { Round } from './method.ts';
import { Memory } from './no-command-cache.ts';

const types = [instanceType('large', { price: 0.4 })];

function roundOf({ at = clusterTime, nodes = '1', revision = 0, names = ['a', 'b'] } = {}): Round {
  const snapshot = disruptableCluster({
    machines: names.map((name) => machine(name)),
    types,
    pools: [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })],
    at,
  });
  const context = { snapshot: { ...snapshot, consolidationRevision: revision }, queued: new Set<string>() };
  const { candidates } = findCandidates(context, 'graceful');
  return { ...context, candidates, budgets: poolBudgets(snapshot, 'Underutilized') };
}

/** Whether what was found of the first is still known for the second. */
function isKnown(before: Round, now: Round): boolean {
  const memory = new Memory();
  memory.foundNothing(before, before.candidates);
  return memory.isFresh(now, now.candidates);
}

describe('that nothing was found', () => {
  it('is known until the cluster changes', () => {
    expect(isKnown(roundOf(), roundOf())).toBe(true);
    expect(isKnown(roundOf(), roundOf({ revision: 1 }))).toBe(false);
  });

  it('is known for five minutes', () => {
    expect(isKnown(roundOf(), roundOf({ at: clusterTime + 299_999 }))).toBe(true);
    expect(isKnown(roundOf(), roundOf({ at: clusterTime + 300_000 }))).toBe(false);
  });

  it('says nothing of candidates that were none, nor under other budgets', () => {
    expect(isKnown(roundOf({ names: ['a'] }), roundOf())).toBe(false);
    expect(isKnown(roundOf(), roundOf({ nodes: '2' }))).toBe(false);
    expect(new BudgetLedger(roundOf().budgets).left('default')).toBe(1);
  });

  it('is not known before anybody has looked', () => {
    expect(new Memory().isFresh(roundOf(), [])).toBe(false);
  });
});
