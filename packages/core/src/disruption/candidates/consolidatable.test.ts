import { clusterTime, disruptedPool, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { describe, expect, it } from 'vitest';
import { evaluateConsolidatable, isWithinConsolidateAfter } from '../index.ts';

const pool = (consolidateAfter: string) => disruptedPool('default', { disruption: { consolidateAfter } });
const claim = (parts: Parameters<typeof managedNode>[1] = {}) => managedNode('n', parts).nodeClaim;
const minuteAgo = new Date(clusterTime - 60_000).toISOString();

describe('a NodeClaim can be consolidated', () => {
  it('when consolidateAfter has passed since the last pod event', () => {
    const recent = claim({ lastPodEventTime: minuteAgo });
    expect(evaluateConsolidatable(recent, pool('60s'), clusterTime)).toEqual({ isConsolidatable: true });
    expect(evaluateConsolidatable(recent, pool('61s'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'recent pod event',
      requeueAfter: 1000,
    });
  });

  it('counted from initialization while there was no pod event', () => {
    expect(evaluateConsolidatable(claim(), pool('1h'), clusterTime)).toEqual({ isConsolidatable: true });
    const initialized = Date.UTC(2026, 0, 1);
    expect(evaluateConsolidatable(claim(), pool('1h'), initialized)).toMatchObject({
      requeueAfter: 3_600_000,
    });
  });

  it('never when consolidateAfter is Never or the node is not initialized', () => {
    expect(evaluateConsolidatable(claim(), pool('Never'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'consolidation disabled',
    });
    const young = claim();
    const status = { ...young.status, conditions: [] };
    expect(evaluateConsolidatable({ ...young, status }, pool('0s'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'not initialized',
    });
  });
});

describe('a node receives no moved pods', () => {
  it('within consolidateAfter of its last pod event, except when that is Never', () => {
    const recent = claim({ lastPodEventTime: minuteAgo });
    expect(isWithinConsolidateAfter(recent, pool('2m'), clusterTime)).toBe(true);
    expect(isWithinConsolidateAfter(recent, pool('1m'), clusterTime)).toBe(false);
    expect(isWithinConsolidateAfter(recent, pool('1m'), clusterTime - 1)).toBe(true);
    expect(isWithinConsolidateAfter(recent, pool('Never'), clusterTime)).toBe(false);
  });
});
