import { clusterTime, managedNode, runningPods } from '@karpenter/testkit/disruptable-clusters';
import { explainedWith, findingTexts, readyPool } from '@karpenter/testkit/explained-clusters';
import { describe, expect, it } from 'vitest';
import { explainNodePool } from './pool-explanation.ts';

type Parts = Parameters<typeof explainedWith>[0];

function explanationOf(parts: Parts) {
  const explained = explainedWith(parts);
  const [pool] = explained.cluster.nodePools;
  if (pool === undefined) throw new Error('no pool');
  return explainNodePool(explained, pool);
}

describe('a NodePool', () => {
  it('lists what it could launch, the cheapest first', () => {
    const explanation = explanationOf({});
    expect(explanation.summary).toBe(
      'NodePool default is ready and can launch 2 instance types from $0.2000/h.',
    );
    expect(findingTexts(explanation).slice(0, 2)).toEqual([
      'fact: $0.2000/h  medium  on-demand  a b c',
      'fact: $0.4000/h  large  on-demand  a b c',
    ]);
  });

  it('leaves out types that its limits do not allow', () => {
    const pools = [readyPool('default', { limits: { cpu: '12' } })];
    const texts = findingTexts(explanationOf({ pools, managedNodes: [managedNode('n')] }));
    expect(texts).toEqual(
      expect.arrayContaining([
        'fact: $0.2000/h  medium  on-demand  a b c',
        'blocked: 1 further type would exceed the limits',
        'met: 8 cpu of 12 in use, 4 cpu left',
      ]),
    );
    expect(texts.join()).not.toContain('large');
  });

  it('that is not ready says why', () => {
    const { summary } = explanationOf({ pools: [readyPool('default', { conditions: [] })] });
    expect(summary).toBe(
      'NodePool default is not ready: it has no condition Ready yet, so no controller has looked at it.',
    );
  });

  it('says what budgets allow by reason, and when the next disruption may happen', () => {
    const budgets = [
      { nodes: '0', reasons: ['Underutilized' as const] },
      { nodes: '0', schedule: '0 0 * * *', duration: '2h' },
    ];
    const pools = [readyPool('default', { disruption: { budgets } })];
    const { sections } = explanationOf({
      pools,
      managedNodes: [managedNode('n', { pods: runningPods(1, 'n') })],
    });
    const findings = sections.find(({ title }) => title === 'Disruption')?.findings ?? [];
    const opens = clusterTime + 2 * 3_600_000;
    const allowed = 'the budgets of NodePool default allow 0 of 1 node at a time for';
    expect(findings.slice(0, 3)).toEqual([
      { text: `${allowed} Empty, Drifted, 0 in use`, verdict: 'blocked', until: opens },
      { text: `${allowed} Underutilized, 0 in use`, verdict: 'blocked' },
      { text: 'budgets allow no disruption', verdict: 'blocked', until: opens },
    ]);
  });

  it('counts the nodes that can be disrupted and says what keeps the others', () => {
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    const managedNodes = [managedNode('a'), managedNode('b', { annotations })];
    expect(findingTexts(explanationOf({ managedNodes }))).toEqual(
      expect.arrayContaining([
        'fact: 1 of 2 nodes can be disrupted',
        'blocked: b: Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
      ]),
    );
  });
});
