import { BudgetLedger, findCandidates, poolBudgets } from '@karpenter/core/disruption';
import {
  clusterTime,
  disruptableCluster,
  disruptedPool,
  managedNode,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { MethodInput } from './method.ts';
import { SearchCache } from './search-cache.ts';

const types = [instanceType('large', { price: 0.4 })];

function inputOf({ at = clusterTime, nodes = '1', revision = 0, names = ['a', 'b'] } = {}): MethodInput {
  const snapshot = disruptableCluster({
    managedNodes: names.map((name) => managedNode(name)),
    types,
    pools: [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })],
    at,
  });
  const context = { snapshot: { ...snapshot, consolidationRevision: revision }, queued: new Set<string>() };
  const { candidates } = findCandidates(context, 'graceful');
  return { ...context, candidates, budgets: poolBudgets(snapshot, 'Underutilized') };
}

/** Whether the cache skips a search of `now` after a search of `before`. */
function isKnown(before: MethodInput, now: MethodInput): boolean {
  const cache = new SearchCache();
  cache.record(before, before.candidates);
  return cache.isFresh(now, now.candidates);
}

describe('SearchCache', () => {
  it('skips the search until the cluster changes', () => {
    expect(isKnown(inputOf(), inputOf())).toBe(true);
    expect(isKnown(inputOf(), inputOf({ revision: 1 }))).toBe(false);
  });

  it('expires after five minutes', () => {
    expect(isKnown(inputOf(), inputOf({ at: clusterTime + 299_999 }))).toBe(true);
    expect(isKnown(inputOf(), inputOf({ at: clusterTime + 300_000 }))).toBe(false);
  });

  it('does not skip the search when there are other candidates or budgets', () => {
    expect(isKnown(inputOf({ names: ['a'] }), inputOf())).toBe(false);
    expect(isKnown(inputOf(), inputOf({ nodes: '2' }))).toBe(false);
    expect(new BudgetLedger(inputOf().budgets).left('default')).toBe(1);
  });

  it('is empty before the first search', () => {
    expect(new SearchCache().isFresh(inputOf(), [])).toBe(false);
  });

  it('is empty after what was found is lost', () => {
    const cache = new SearchCache();
    const input = inputOf();
    cache.record(input, input.candidates);
    cache.clear();
    expect(cache.isFresh(input, input.candidates)).toBe(false);
  });
});
