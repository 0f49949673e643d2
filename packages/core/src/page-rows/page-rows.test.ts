import type { NodePool } from '@karpenter/core/api';
import { disruptedPool } from '@karpenter/testkit/disruptable-clusters';
import { sampleNode } from '@karpenter/testkit/node-rows';
import { describe, expect, it } from 'vitest';
import type { PodRow, PoolRow } from '../cluster-view/index.ts';
import { budgetedNodes, pageNode, pagePod, pagePool } from './index.ts';

const noon = Date.UTC(2026, 0, 7, 12);

const poolRow = (disruption: Partial<NodePool['spec']['disruption']>): PoolRow => ({
  name: 'p',
  weight: 0,
  isReady: true,
  limits: {},
  usage: {},
  nodes: 20,
  hourly: 1,
  pool: disruptedPool('p', { disruption }),
});

const pod: PodRow = {
  uid: 'u',
  namespace: 'default',
  name: 'web',
  phase: 'running',
  statusPhase: 'Running',
  workload: { kind: 'Pod', name: 'web' },
  labels: {},
  requests: {},
  isDaemon: false,
  createdAt: 0,
  restarts: 0,
};

describe('a row of the page', () => {
  it('for a node leaves out its pods and says why it is kept', () => {
    const row = sampleNode('a', { pods: ['u'] });
    expect(pageNode(row, undefined)).toEqual({ ...row, pods: undefined, podCounts: undefined });
    expect(Object.keys(pageNode(row, undefined))).not.toContain('keptReason');
    expect(pageNode(row, 'because')).toMatchObject({ name: 'a', keptReason: 'because' });
  });

  it('for a pod that is protected for good survives JSON', () => {
    const page = pagePod({ ...pod, protectedUntil: Number.POSITIVE_INFINITY, fargateSize: '1vCPU 2GB' });
    expect(page).toEqual({ ...pod, protectedUntil: 8.64e15 });
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
    expect(pagePod({ ...pod, protectedUntil: noon }).protectedUntil).toBe(noon);
    expect(pagePod(pod)).toEqual(pod);
  });

  it('for a NodePool has its budgets as they are now instead of the whole object', () => {
    const budgets = [
      { nodes: '10%', reasons: ['Drifted' as const] },
      { nodes: '0', schedule: '0 9 * * *', duration: '8h' },
      { nodes: '5', schedule: '0 18 * * *', duration: '1h' },
    ];
    const page = pagePool(poolRow({ budgets, consolidateAfter: '30s' }), { total: 15, at: noon });
    expect(page).not.toHaveProperty('pool');
    expect(page).toMatchObject({ name: 'p', consolidateAfter: '30s' });
    expect(page.budgets).toEqual([
      { reasons: ['Drifted'], nodes: '10%', isActive: true, allowed: 2 },
      {
        reasons: [],
        nodes: '0',
        schedule: '0 9 * * *',
        duration: '8h',
        isActive: true,
        allowed: 0,
        changesAt: Date.UTC(2026, 0, 7, 17),
      },
      {
        reasons: [],
        nodes: '5',
        schedule: '0 18 * * *',
        duration: '1h',
        isActive: false,
        changesAt: Date.UTC(2026, 0, 7, 18),
      },
    ]);
  });

  it('counts for budgets only initialized nodes of NodeClaims', () => {
    const labels = { 'karpenter.sh/initialized': 'true' };
    const { nodeName: _name, ...launching } = sampleNode('e', { nodeClaim: 'e', labels });
    const { nodePool: _pool, ...unmanaged } = sampleNode('f', { labels });
    const counts = budgetedNodes([
      sampleNode('a', { nodeClaim: 'a', labels }),
      sampleNode('b', { nodeClaim: 'b', labels, nodePool: 'other' }),
      sampleNode('c', { nodeClaim: 'c' }),
      sampleNode('d', { labels }),
      launching,
      unmanaged,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ default: 1, other: 1 });
  });
});
