import {
  disruptableCluster,
  disruptedPool,
  managedNode,
  runningPods,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  approvalText,
  CandidateEvaluator,
  findCandidates,
  isNeverApproved,
  poolTotals,
  scoreMove,
} from '../index.ts';

const types = [instanceType('large', { price: 0.5 }), instanceType('free', { price: 0 })];
const balanced = { disruption: { consolidationPolicy: 'Balanced' as const } };

function situation(
  managedNodes: Parameters<typeof disruptableCluster>[0]['managedNodes'],
  pools = [disruptedPool('default', balanced)],
) {
  const snapshot = disruptableCluster({ managedNodes, types, pools });
  const context = { snapshot, queued: new Set<string>() };
  const { candidates } = findCandidates(context, 'graceful');
  const totals = poolTotals(snapshot, new CandidateEvaluator(context));
  return {
    candidates,
    totals,
    score: (savings: number) => scoreMove(candidates.slice(0, 1), savings, totals),
  };
}

describe('a NodePool with policy Balanced', () => {
  const managedNodes = [
    managedNode('a', { pods: runningPods(3, 'a') }),
    managedNode('b', { pods: runningPods(3, 'b') }),
  ];

  it('compares the share of its cost saved with the share of its reschedule cost', () => {
    const [score] = situation(managedNodes).score(0.5);
    expect(score).toMatchObject({ score: 1, savingsShare: 0.5, disruptionShare: 0.5, isApproved: true });
  });

  it('approves a score of one half and above', () => {
    const { score } = situation(managedNodes);
    expect(score(0.25)[0]?.isApproved).toBe(true);
    expect(score(0.24)[0]?.isApproved).toBe(false);
  });

  it('counts all its nodes, including those that are not candidates', () => {
    const kept = managedNode('b', {
      pods: runningPods(3, 'b'),
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
    });
    expect(situation([...managedNodes.slice(0, 1), kept]).totals.get('default')).toEqual({
      price: 1,
      disruption: 8,
    });
  });

  it('scores 0 when nothing is saved or the cost of the pool is unknown', () => {
    expect(situation(managedNodes).score(0)[0]).toMatchObject({ score: 0, isApproved: false });
    expect(situation(managedNodes).score(-0.1)[0]).toMatchObject({ score: 0, isApproved: false });
    const free = ['a', 'b'].map((name) => managedNode(name, { type: 'free', pods: runningPods(1, name) }));
    const unknown = situation(free);
    expect(unknown.score(0.1)[0]).toMatchObject({ score: 0, isApproved: false });
    expect(unknown.candidates.some((candidate) => isNeverApproved(candidate, unknown.totals))).toBe(false);
  });

  it('rules out a node that is not worth disrupting even if it could be deleted', () => {
    const crowded = [
      managedNode('a', { pods: runningPods(10, 'a', { cpu: '100m' }) }),
      ...['b', 'c', 'd', 'e'].map((name) => managedNode(name)),
    ];
    const { candidates, totals } = situation(crowded);
    const [worst] = candidates;
    expect(worst && isNeverApproved(worst, totals)).toBe(true);
    expect(worst && isNeverApproved(worst, new Map())).toBe(false);
  });

  it('prints its score in the event message', () => {
    expect(
      approvalText({
        nodePool: 'default',
        policy: 'Balanced',
        isApproved: true,
        score: 1.2,
        savingsShare: 0.03,
        disruptionShare: 0.025,
      }),
    ).toBe('score 1.20 >= threshold 0.50 (k: 2, savings 3.0%, disruption 2.5%)');
  });
});

describe('a command across NodePools', () => {
  it('splits its savings by the price each pool gives up, and needs the approval of every Balanced one', () => {
    const pools = [disruptedPool('x', balanced), disruptedPool('y')];
    const managedNodes = [
      managedNode('a', { pool: 'x', pods: runningPods(1, 'a') }),
      managedNode('b', { pool: 'y', pods: runningPods(1, 'b') }),
    ];
    const { candidates, totals } = situation(managedNodes, pools);
    const scores = scoreMove(candidates, 0.25, totals);
    expect(scores).toMatchObject([
      { nodePool: 'x', savingsShare: 0.25, score: 0.25, isApproved: false },
      { nodePool: 'y', isApproved: true },
    ]);
    expect(scores[1]?.score).toBeUndefined();
  });
});
