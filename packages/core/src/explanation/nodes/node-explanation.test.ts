import { budget } from '@karpenter/testkit/cluster-objects';
import { clusterTime, managedNode, runningPods } from '@karpenter/testkit/disruptable-clusters';
import { explainedWith, findingTexts, readyPool } from '@karpenter/testkit/explained-clusters';
import { describe, expect, it } from 'vitest';
import { explainNode } from './node-explanation.ts';

type Parts = Parameters<typeof explainedWith>[0];

function explanationOf(parts: Parts, name = 'n') {
  const explained = explainedWith(parts);
  const state = explained.cluster.nodeStates.find(({ view }) => view.name === name);
  if (state === undefined) throw new Error(`no node ${name}`);
  return explainNode(explained, state, { kind: 'Node', name });
}

const texts = (parts: Parts) => findingTexts(explanationOf(parts));
const kept = { 'karpenter.sh/do-not-disrupt': 'true' };

describe('a node', () => {
  it('names every pod and annotation that blocks it, and until when', () => {
    const pods = [
      ...runningPods(1, 'n', { annotations: kept }),
      ...runningPods(2, 'n', {
        annotations: { 'karpenter.sh/do-not-disrupt': '1h' },
        startTime: '2026-01-09T23:30:00Z',
      }).slice(1),
    ];
    const { sections, summary } = explanationOf({
      managedNodes: [managedNode('n', { annotations: kept, pods })],
    });
    expect(sections[0]?.findings.map(({ text, until }) => ({ text, until }))).toEqual([
      {
        text: 'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
        until: undefined,
      },
      { text: 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/n-0)', until: undefined },
      {
        text: 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/n-1)',
        until: clusterTime + 30 * 60_000,
      },
    ]);
    expect(summary).toContain('and 2 other reasons');
  });

  it('says which pods it was sized for before they existed', () => {
    const claimAnnotations = { 'karpenter-ts/upcoming-pods': '29 of ReplicaSet default/web' };
    const managedNodes = [managedNode('n', { claimAnnotations, pods: runningPods(1, 'n') })];
    expect(texts({ managedNodes })).toContain(
      'fact: it was sized also for pods that were still being created: 29 of ReplicaSet default/web',
    );
  });

  it('names the PodDisruptionBudget that has none left, and its pod', () => {
    const exhausted = { ...budget('web'), status: { disruptionsAllowed: 0 } };
    const managedNodes = [managedNode('n', { pods: runningPods(1, 'n') })];
    expect(texts({ managedNodes, budgets: [exhausted] })).toContain(
      'blocked: Pdb prevents pod evictions (PodDisruptionBudget=[default/web]) for pod default/n-0',
    );
  });

  it('waits for consolidateAfter since its last pod', () => {
    const pools = [readyPool('default', { disruption: { consolidateAfter: '1h' } })];
    const node = managedNode('n', { lastPodEventTime: '2026-01-09T23:50:00Z', pods: runningPods(1, 'n') });
    const conditions = node.nodeClaim.status?.conditions?.filter(({ type }) => type !== 'Consolidatable');
    const nodeClaim = {
      ...node.nodeClaim,
      status: { ...node.nodeClaim.status, conditions: conditions ?? [] },
    };
    const { sections } = explanationOf({ pools, managedNodes: [{ ...node, nodeClaim }] });
    expect(sections[0]?.findings[0]).toEqual({
      text: 'a pod came or went less than consolidateAfter 1h ago',
      verdict: 'blocked',
      until: clusterTime + 50 * 60_000,
    });
  });

  it('with pods is kept by the policy WhenEmpty', () => {
    const pools = [readyPool('default', { disruption: { consolidationPolicy: 'WhenEmpty' } })];
    const managedNodes = [managedNode('n', { pods: runningPods(1, 'n') })];
    expect(texts({ pools, managedNodes })).toContain(
      'blocked: NodePool "default" has consolidation policy WhenEmpty, but node is not empty',
    );
  });

  it('without a cheaper replacement compares the prices', () => {
    const managedNodes = [managedNode('n', { pods: runningPods(1, 'n', { cpu: '7' }) })];
    expect(texts({ managedNodes })).toEqual(
      expect.arrayContaining([
        "blocked: Can't replace with a cheaper node",
        'fact: it costs $0.4000/h; the cheapest node for its pods is large at $0.4000/h',
      ]),
    );
  });

  it('with a cheaper replacement names it and what it saves', () => {
    const managedNodes = [managedNode('n', { pods: runningPods(1, 'n') })];
    expect(texts({ managedNodes })).toContain(
      'met: consolidation replaces it by medium at $0.2000/h, which saves $0.2000/h',
    );
  });

  it('that consolidation would take is kept by a budget until its window closes', () => {
    const disruption = { budgets: [{ nodes: '0', schedule: '0 0 * * *', duration: '8h' }] };
    const pools = [readyPool('default', { disruption })];
    const { sections } = explanationOf({ pools, managedNodes: [managedNode('n')] });
    expect(sections[0]?.findings).toEqual([
      { text: 'it is empty and can be deleted', verdict: 'met' },
      {
        text: 'the budgets of NodePool default allow 0 of 1 node at a time for Empty, 0 in use',
        verdict: 'blocked',
        until: clusterTime + 8 * 3_600_000,
      },
    ]);
  });

  it('that starts is not initialized yet', () => {
    expect(texts({ managedNodes: [managedNode('n', { isInitialized: false })] })).toContain(
      "blocked: Node isn't initialized",
    );
  });

  it('that has drifted says since when and what budgets allow', () => {
    expect(texts({ managedNodes: [managedNode('n', { conditions: ['Drifted'] })] })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^fact: drifted since 2026-01-01T00:00:00Z/)]),
    );
  });
});
