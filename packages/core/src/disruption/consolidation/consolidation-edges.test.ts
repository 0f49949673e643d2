import { pendingPod } from '@karpenter/testkit/cluster-objects';
import {
  type ClusterParts,
  type ConsolidationOptions,
  consolidationSituation,
  disruptableCluster,
  disruptedPool,
  managedNode,
  runningPods,
  searchedConsolidations,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { isPlanned, shortCommandText } from '../index.ts';

const small = instanceType('small', { cpu: '2', memory: '8Gi', price: 0.1 });
const medium = instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 });
const large = instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 });

function search(parts: Partial<ClusterParts>, options: ConsolidationOptions = {}) {
  const snapshot = disruptableCluster({ managedNodes: [], types: [small, medium, large], ...parts });
  const { commands, unconsolidatable } = searchedConsolidations(consolidationSituation(snapshot, options));
  return {
    commands: commands.map(({ command }) => command),
    texts: commands.map(({ command }) => shortCommandText(command)),
    messages: unconsolidatable.map(({ message }) => message),
  };
}

/** A NodePool with minValues for this many instance types. */
const varied = (minValues: number) =>
  disruptedPool('default', {
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues }],
  });
const going = [{ type: 'markedForDeletion' as const, nodes: ['cloud://going'] }];

describe('the first candidates of consolidation', () => {
  it('have the best savings ratio, rather than the highest price or the longest time without pod events', () => {
    const managedNodes = [
      managedNode('expensive', { pods: runningPods(4, 'expensive') }),
      managedNode('best', { type: 'medium', cpu: '4', pods: runningPods(1, 'best') }),
      managedNode('quiet', {
        type: 'small',
        cpu: '2',
        pods: runningPods(1, 'quiet', { priority: -(2 ** 24) }),
      }),
      managedNode('room', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    ];
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '1' }] } })];
    expect(search({ managedNodes, pools }).texts).toEqual(['delete: [best]']);
  });
});

describe('the nodes replaced by one', () => {
  it('are at most 101', () => {
    const managedNodes = Array.from({ length: 110 }, (_, index) => {
      const name = `n${String(index).padStart(3, '0')}`;
      return managedNode(name, { type: 'small', cpu: '2', pods: runningPods(1, name, { cpu: '1100m' }) });
    });
    const huge = instanceType('huge', { cpu: '256', memory: '1024Gi', pods: '250', price: 0.15 });
    const { commands } = search({ managedNodes, types: [small, huge] });
    expect(commands.map(({ candidates }) => candidates.length)).toEqual([101, 9]);
  });

  it('are limited by budgets instead of rejected', () => {
    const managedNodes = ['a', 'b', 'c'].map((name) =>
      managedNode(name, { type: 'medium', cpu: '4', pods: runningPods(1, name, { cpu: '2500m' }) }),
    );
    const types = [medium, instanceType('roomy', { cpu: '8', memory: '64Gi', price: 0.3 })];
    expect(search({ managedNodes, types }).texts).toEqual(['replace: [a, b, c] -> [1 replacement]']);
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(search({ managedNodes, types, pools }).texts).toEqual(['replace: [a, b] -> [1 replacement]']);
  });

  it('stay when too few types for minValues are left without their own', () => {
    const managedNodes = ['a', 'b'].map((name) =>
      managedNode(name, { cpu: '4', pods: runningPods(1, name, { cpu: '2500m' }) }),
    );
    const types = [large, instanceType('other', { cpu: '8', memory: '64Gi', price: 0.39 })];
    expect(search({ managedNodes, types }).texts).toEqual(['replace: [a, b] -> [1 replacement]']);
    expect(search({ managedNodes, types, pools: [varied(2)] }).texts).toEqual([]);
  });
});

describe('minValues relaxed by BestEffort', () => {
  it('still apply to the types that are cheaper', () => {
    // The NodePool has three types, two of which are cheaper than the node.
    const managedNodes = [managedNode('n', { pods: runningPods(2, 'n') })];
    expect(search({ managedNodes, pools: [varied(5)] }, { minValuesPolicy: 'BestEffort' }).messages).toEqual([
      'Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])',
    ]);
  });
});

describe('spot-to-spot consolidation', () => {
  const twenty = (spotPrice: number) =>
    Array.from({ length: 20 }, (_, index) =>
      instanceType(`s${String(index).padStart(2, '0')}`, {
        cpu: '4',
        memory: '16Gi',
        price: 2,
        spotPrice: spotPrice + index / 1000,
        capacityTypes: ['on-demand', 'spot'],
      }),
    );
  const expensive = instanceType('large', {
    price: 0.4,
    spotPrice: 0.16,
    capacityTypes: ['on-demand', 'spot'],
  });
  const managedNodes = [managedNode('n', { capacityType: 'spot', pods: runningPods(3, 'n') })];
  const allowed = { allowsSpotToSpot: true };

  it('replaces a node with more than 15 types when minValues requires more', () => {
    const types = [...twenty(0.05), expensive];
    const { commands } = search({ managedNodes, types, pools: [varied(18)] }, allowed);
    const planned = commands.flatMap(({ replacements }) => replacements.filter(isPlanned));
    expect(planned.map(({ instanceTypes }) => instanceTypes.length)).toEqual([18]);
  });

  it('keeps a node when nothing is cheaper, with the usual message', () => {
    expect(search({ managedNodes, types: [...twenty(1), expensive] }, allowed).messages).toEqual([
      "Can't replace with a cheaper node",
    ]);
  });
});

describe('a node created for a pending pod', () => {
  it('may replace a more expensive one', () => {
    const managedNodes = [managedNode('a', { cpu: '3', pods: runningPods(1, 'a', { cpu: '1500m' }) })];
    const pods = [pendingPod('w', { cpu: '2' })];
    expect(search({ managedNodes, pods }).texts).toEqual(['replace: [a] -> [1 replacement]']);
  });
});

describe('pods of a node marked for deletion', () => {
  it('take the room that other pods would have moved to', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(2, 'a') }),
      managedNode('b', { pods: runningPods(6, 'b') }),
    ];
    expect(search({ managedNodes, types: [large] }).texts).toEqual(['delete: [a]']);
    const more = [...managedNodes, managedNode('going', { pods: runningPods(2, 'going') })];
    expect(search({ managedNodes: more, types: [large], facts: going }).texts).toEqual([]);
  });

  it('may move to an uninitialized node, unlike pods that could stay', () => {
    const managedNodes = [
      managedNode('going', { pods: runningPods(8, 'going') }),
      managedNode('coming', { isInitialized: false }),
      managedNode('a', { pods: runningPods(1, 'a') }),
      managedNode('b', { pods: runningPods(7, 'b') }),
    ];
    expect(search({ managedNodes, facts: going }).texts).toEqual(['delete: [a]']);
  });
});
