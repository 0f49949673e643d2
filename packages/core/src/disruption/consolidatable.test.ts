import { clusterTime, disruptedPool, machine } from '@karpenter/testkit/disruptable-clusters';
import { describe, expect, it } from 'vitest';
import { isSettling, judgeConsolidatable } from './index.ts';

const pool = (consolidateAfter: string) => disruptedPool('default', { disruption: { consolidateAfter } });
const claim = (parts: Parameters<typeof machine>[1] = {}) => machine('n', parts).nodeClaim;
const minuteAgo = new Date(clusterTime - 60_000).toISOString();

describe('a NodeClaim can be consolidated', () => {
  it('when no pod has come or gone for long enough', () => {
    const recent = claim({ lastPodEventTime: minuteAgo });
    expect(judgeConsolidatable(recent, pool('60s'), clusterTime)).toEqual({ isConsolidatable: true });
    expect(judgeConsolidatable(recent, pool('61s'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'recent pod event',
      requeueAfter: 1000,
    });
  });

  it('counted from when it was initialized, while no pod has come', () => {
    expect(judgeConsolidatable(claim(), pool('1h'), clusterTime)).toEqual({ isConsolidatable: true });
    const initialized = Date.UTC(2026, 0, 1);
    expect(judgeConsolidatable(claim(), pool('1h'), initialized)).toMatchObject({ requeueAfter: 3_600_000 });
  });

  it('never when its pool says so, nor before it is initialized', () => {
    expect(judgeConsolidatable(claim(), pool('Never'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'consolidation disabled',
    });
    const young = claim();
    const status = { ...young.status, conditions: [] };
    expect(judgeConsolidatable({ ...young, status }, pool('0s'), clusterTime)).toEqual({
      isConsolidatable: false,
      reason: 'not initialized',
    });
  });
});

describe('a node is left alone', () => {
  it('within the time its pool wants, and not at all where that is Never', () => {
    const recent = claim({ lastPodEventTime: minuteAgo });
    expect(isSettling(recent, pool('2m'), clusterTime)).toBe(true);
    expect(isSettling(recent, pool('1m'), clusterTime)).toBe(false);
    expect(isSettling(recent, pool('1m'), clusterTime - 1)).toBe(true);
    expect(isSettling(recent, pool('Never'), clusterTime)).toBe(false);
  });
});
