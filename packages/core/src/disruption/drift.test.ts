import {
  type ClusterParts,
  disruptableCluster,
  disruptedPool,
  drained,
  type ManagedNode,
  managedNode,
  runningPods,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType, planOptions } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../scheduling/index.ts';
import {
  BudgetLedger,
  ClusterSimulation,
  driftedCandidates,
  findCandidates,
  PriceBook,
  poolBudgets,
  replaceDrifted,
  replaceStatic,
  shortCommandText,
} from './index.ts';

const types = [instanceType('large', { cpu: '8', price: 0.4 })];
const usualPlan = { ...planOptions, reservedCapacity: { idLabel: 'reservation', mode: 'fallback' as const } };

function roundOf(parts: Partial<ClusterParts>) {
  const snapshot = disruptableCluster({ managedNodes: [], types, ...parts });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'eventual');
  return { snapshot, candidates, ledger: new BudgetLedger(poolBudgets(snapshot, 'Drifted')) };
}

type DriftParts = Partial<ClusterParts> & { readonly plan?: PlanOptions };

function drift({ plan = usualPlan, ...parts }: DriftParts) {
  const { snapshot, candidates, ledger } = roundOf(parts);
  const simulation = drained(ClusterSimulation.of(snapshot, { plan }));
  const drifted = driftedCandidates(candidates, { isStatic: false });
  return drained(replaceDrifted(drifted, ledger, simulation, new PriceBook(snapshot.instanceTypes, plan)));
}

const texts = (parts: DriftParts) => drift(parts).commands.map(shortCommandText);

/** Drifted since this day of January. */
function drifted(name: string, day: string, parts: Parameters<typeof managedNode>[1] = {}): ManagedNode {
  const made = managedNode(name, { ...parts, conditions: ['Drifted'] });
  const conditions = (made.nodeClaim.status?.conditions ?? []).map((condition) =>
    condition.type === 'Drifted'
      ? { ...condition, lastTransitionTime: `2026-01-${day}T00:00:00Z` }
      : condition,
  );
  return { ...made, nodeClaim: { ...made.nodeClaim, status: { ...made.nodeClaim.status, conditions } } };
}

describe('drift', () => {
  it('keeps a node when the truncated types of its replacement do not satisfy minValues', () => {
    const many = Array.from({ length: 600 }, (_, index) =>
      instanceType(`t${index}`, { cpu: '8', price: 0.1, labels: { family: 'cheap' } }),
    );
    const expensive = instanceType('large', { cpu: '8', price: 0.4, labels: { family: 'expensive' } });
    const requirements = [{ key: 'family', operator: 'Exists', minValues: 2 } as const];
    const pools = [disruptedPool('default', { requirements })];
    const managedNodes = [drifted('n', '05', { pods: runningPods(8, 'n') })];
    const cut = { managedNodes, pools, types: [...many, expensive] };
    expect(drift(cut)).toMatchObject({
      commands: [],
      blocked: [
        {
          message: expect.stringMatching(
            /^Not all pods would schedule, default\/n-0 => pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, minValues requirement is not met for label\(s\) \(label\(s\)=\[family\]\) \(NodePool=default\) /,
          ),
        },
      ],
    });
    expect(texts({ ...cut, types: [...many.slice(1), expensive] })).toHaveLength(1);
    expect(texts({ ...cut, plan: { ...usualPlan, minValuesPolicy: 'BestEffort' } })).toHaveLength(1);
  });

  it('replaces the node that drifted first', () => {
    const managedNodes = [
      drifted('new', '05', { pods: runningPods(8, 'new') }),
      drifted('old', '02', { pods: runningPods(8, 'old') }),
    ];
    expect(texts({ managedNodes })).toEqual([
      'replace: [old] -> [1 replacement]',
      'replace: [new] -> [1 replacement]',
    ]);
  });

  it('starts with nodes without reschedulable pods', () => {
    const managedNodes = [drifted('busy', '02', { pods: runningPods(8, 'busy') }), drifted('idle', '05')];
    expect(texts({ managedNodes })).toEqual(['delete: [idle]', 'replace: [busy] -> [1 replacement]']);
  });

  it('ignores nodes that have not drifted', () => {
    expect(texts({ managedNodes: [managedNode('a', { pods: runningPods(1, 'a') })] })).toEqual([]);
  });

  it('needs no replacement when the pods fit on other nodes', () => {
    const managedNodes = [drifted('a', '02', { pods: runningPods(2, 'a') }), managedNode('b')];
    expect(texts({ managedNodes })).toEqual(['delete: [a]']);
  });

  it('may create several replacements for one node', () => {
    const pods = ['a', 'b'].flatMap((zone, index) =>
      runningPods(1, 'n', { nodeSelector: { 'topology.kubernetes.io/zone': zone } }).map((pod) => ({
        ...pod,
        metadata: { ...pod.metadata, name: `p${index}`, uid: `p${index}` },
      })),
    );
    expect(texts({ managedNodes: [drifted('n', '02', { pods })] })).toEqual([
      'replace: [n] -> [2 replacements]',
    ]);
  });

  it('skips nodes whose pods would not schedule, with a message, and goes on with the next', () => {
    const stuck = runningPods(1, 'a', { nodeSelector: { never: 'here' } });
    const managedNodes = [
      drifted('a', '02', { pods: stuck }),
      drifted('b', '03', { pods: runningPods(8, 'b') }),
    ];
    const { commands, blocked } = drift({ managedNodes });
    expect(commands.map(shortCommandText)).toEqual(['replace: [b] -> [1 replacement]']);
    expect(blocked).toMatchObject([
      { message: expect.stringContaining('Not all pods would schedule, default/a-0 => ') },
    ]);
  });

  it('stays within budgets', () => {
    const managedNodes = ['a', 'b', 'c'].map((name) => drifted(name, '02', { pods: runningPods(8, name) }));
    const pools = [
      disruptedPool('default', { disruption: { budgets: [{ nodes: '2', reasons: ['Drifted'] }] } }),
    ];
    expect(texts({ managedNodes, pools })).toHaveLength(2);
  });

  it('ignores consolidation settings and may move pods to nodes within consolidateAfter', () => {
    const never = [disruptedPool('default', { disruption: { consolidateAfter: 'Never' } })];
    const managedNodes = [drifted('a', '02', { pods: runningPods(2, 'a') }), managedNode('b')];
    expect(texts({ managedNodes, pools: never })).toEqual(['delete: [a]']);
    const quiet = [disruptedPool('default', { disruption: { consolidateAfter: '1h' } })];
    const restless = managedNode('b', { lastPodEventTime: '2026-01-09T23:59:00Z' });
    expect(texts({ managedNodes: [...managedNodes.slice(0, 1), restless], pools: quiet })).toEqual([
      'delete: [a]',
    ]);
  });

  it('with a terminationGracePeriod ignores protected pods and creates no room for them', () => {
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    const pods = runningPods(8, 'a', { annotations });
    expect(texts({ managedNodes: [drifted('a', '02', { pods })] })).toEqual([]);
    const ending = drifted('a', '02', { pods, terminationGracePeriod: '1h' });
    expect(texts({ managedNodes: [ending] })).toEqual(['delete: [a]']);
  });
});

describe('drift of static NodePools', () => {
  function replaced(parts: Partial<ClusterParts>) {
    const { snapshot, candidates, ledger } = roundOf(parts);
    const own = driftedCandidates(candidates, { isStatic: true });
    return replaceStatic({ candidates: own, ledger, pools: snapshot.pools }).map(shortCommandText);
  }
  const managedNodes = ['a', 'b', 'c'].map((name) => drifted(name, '02'));

  it('replaces nodes one for one, several at once', () => {
    expect(replaced({ managedNodes, pools: [disruptedPool('default', { replicas: 3 })] })).toEqual([
      'replace: [a] -> [1 replacement]',
      'replace: [b] -> [1 replacement]',
      'replace: [c] -> [1 replacement]',
    ]);
  });

  it('waits while there are more nodes than replicas', () => {
    expect(replaced({ managedNodes, pools: [disruptedPool('default', { replicas: 2 })] })).toEqual([]);
  });

  it('waits while a surplus node is pending disruption', () => {
    const facts = [{ type: 'pendingDisruption' as const, nodeClaims: ['claim-c'] }];
    expect(replaced({ managedNodes, facts, pools: [disruptedPool('default', { replicas: 2 })] })).toEqual([]);
  });

  it('stays within budgets and the node limit', () => {
    const limited = disruptedPool('default', { replicas: 3, limits: { nodes: '4' } });
    expect(replaced({ managedNodes, pools: [limited] })).toHaveLength(1);
    const written = disruptedPool('default', { replicas: 3, limits: { nodes: '1k' } });
    expect(replaced({ managedNodes, pools: [written] })).toHaveLength(3);
    const strict = disruptedPool('default', { replicas: 3, disruption: { budgets: [{ nodes: '2' }] } });
    expect(replaced({ managedNodes, pools: [strict] })).toHaveLength(2);
  });

  it('is separate from drift of other NodePools', () => {
    expect(replaced({ managedNodes })).toEqual([]);
    expect(texts({ managedNodes, pools: [disruptedPool('default', { replicas: 3 })] })).toEqual([]);
  });
});
