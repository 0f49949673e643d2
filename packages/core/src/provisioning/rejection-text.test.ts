import { describe, expect, it } from 'vitest';
import type { PoolRejection } from '../scheduling/index.ts';
import { rejectionText } from './rejection-text.ts';

const reason = (nodePool: string, message: string): PoolRejection => ({ nodePool, failed: [], message });
const textOf = (...reasons: readonly PoolRejection[]) => rejectionText({ reasons, message: 'all' });

describe('the text of a rejection', () => {
  it('names the NodePool after the sentence of Karpenter, once', () => {
    expect(textOf(reason('a', 'did not tolerate taint (taint=x:NoSchedule)'))).toBe(
      'did not tolerate taint (taint=x:NoSchedule) (NodePool=a)',
    );
    const limits = 'all available instance types exceed limits for nodepool (NodePool=a)';
    expect(textOf(reason('a', limits))).toBe(limits);
  });

  it('has one sentence for NodePools with the same reason, with the requirements of the first', () => {
    const short = (pool: string) =>
      reason(
        pool,
        `no instance type has enough resources, requirements=karpenter.sh/nodepool In [${pool}], resources={"cpu":"9"}`,
      );
    const limits = (pool: string) =>
      reason(pool, `node limits have been exhausted for nodepool (NodePool=${pool})`);
    expect(textOf(short('c'), limits('b'), short('a'), limits('f'), short('d'), short('e'))).toBe(
      'no instance type has enough resources (NodePools=[a, c, d, e]), requirements=karpenter.sh/nodepool In [a], resources={"cpu":"9"}; ' +
        'node limits have been exhausted for nodepool (NodePools=[b, f])',
    );
  });

  it('is that of the plan if no NodePool was tried', () => {
    expect(rejectionText({ reasons: [], message: 'nodepool requirements filtered out all types' })).toBe(
      'nodepool requirements filtered out all types',
    );
  });
});
