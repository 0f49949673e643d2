import { pendingPod } from '@karpenter/testkit/cluster-objects';
import {
  type ClusterParts,
  type ConsolidationOptions,
  consolidationSituation,
  disruptableCluster,
  disruptedPool,
  machine,
  residents,
  searchedConsolidations,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { isPlanned, shortCommandText } from './index.ts';

const small = instanceType('small', { cpu: '2', memory: '8Gi', price: 0.1 });
const medium = instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 });
const large = instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 });

function search(parts: Partial<ClusterParts>, options: ConsolidationOptions = {}) {
  const snapshot = disruptableCluster({ machines: [], types: [small, medium, large], ...parts });
  const { commands, told } = searchedConsolidations(consolidationSituation(snapshot, options));
  return {
    commands: commands.map(({ command }) => command),
    texts: commands.map(({ command }) => shortCommandText(command)),
    told: told.map(({ message }) => message),
  };
}

/** A pool that wants so many different instance types for each node. */
const varied = (minValues: number) =>
  disruptedPool('default', {
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues }],
  });
const going = [{ type: 'markedForDeletion' as const, nodes: ['cloud://going'] }];

describe('the nodes that consolidation begins with', () => {
  it('save most for their disturbance, and are not just the dearest or the quietest', () => {
    const machines = [
      machine('dear', { pods: residents(4, 'dear') }),
      machine('best', { type: 'medium', cpu: '4', pods: residents(1, 'best') }),
      machine('quiet', { type: 'small', cpu: '2', pods: residents(1, 'quiet', { priority: -(2 ** 24) }) }),
      machine('room', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    ];
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '1' }] } })];
    expect(search({ machines, pools }).texts).toEqual(['delete: [best]']);
  });
});

describe('the nodes that one takes the place of', () => {
  it('are a hundred and one at most', () => {
    const machines = Array.from({ length: 110 }, (_, index) => {
      const name = `n${String(index).padStart(3, '0')}`;
      return machine(name, { type: 'small', cpu: '2', pods: residents(1, name, { cpu: '1100m' }) });
    });
    const huge = instanceType('huge', { cpu: '256', memory: '1024Gi', pods: '250', price: 0.15 });
    const { commands } = search({ machines, types: [small, huge] });
    expect(commands.map(({ candidates }) => candidates.length)).toEqual([101]);
  });

  it('are as many as budgets allow, and not none because there could have been more', () => {
    const machines = ['a', 'b', 'c'].map((name) =>
      machine(name, { type: 'medium', cpu: '4', pods: residents(1, name, { cpu: '2500m' }) }),
    );
    const types = [medium, instanceType('roomy', { cpu: '8', memory: '64Gi', price: 0.3 })];
    expect(search({ machines, types }).texts).toEqual(['replace: [a, b, c] -> [1 replacement]']);
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(search({ machines, types, pools }).texts).toEqual(['replace: [a, b] -> [1 replacement]']);
  });

  it('stay when without their own types too few are left for the variety that the pool wants', () => {
    const machines = ['a', 'b'].map((name) =>
      machine(name, { cpu: '4', pods: residents(1, name, { cpu: '2500m' }) }),
    );
    const types = [large, instanceType('other', { cpu: '8', memory: '64Gi', price: 0.39 })];
    expect(search({ machines, types }).texts).toEqual(['replace: [a, b] -> [1 replacement]']);
    expect(search({ machines, types, pools: [varied(2)] }).texts).toEqual([]);
  });
});

describe('variety that the policy lowers to what there is', () => {
  it('still has to be met by what is left below the price', () => {
    // The pool has three types, of which two cost less than the node.
    const machines = [machine('n', { pods: residents(2, 'n') })];
    expect(search({ machines, pools: [varied(5)] }, { minValuesPolicy: 'BestEffort' }).told).toEqual([
      'Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])',
    ]);
  });
});

describe('from spot to spot', () => {
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
  const dear = instanceType('large', { price: 0.4, spotPrice: 0.16, capacityTypes: ['on-demand', 'spot'] });
  const machines = [machine('n', { capacityType: 'spot', pods: residents(3, 'n') })];
  const allowed = { allowsSpotToSpot: true };

  it('a node is replaced by one of more than fifteen types where the pool wants more variety', () => {
    const types = [...twenty(0.05), dear];
    const { commands } = search({ machines, types, pools: [varied(18)] }, allowed);
    const planned = commands.flatMap(({ replacements }) => replacements.filter(isPlanned));
    expect(planned.map(({ instanceTypes }) => instanceTypes.length)).toEqual([18]);
  });

  it('a node stays when nothing costs less, and is told so as any other', () => {
    expect(search({ machines, types: [...twenty(1), dear] }, allowed).told).toEqual([
      "Can't replace with a cheaper node",
    ]);
  });
});

describe('a node that has to be made for a pod that waits', () => {
  it('may take the place of another one that costs more', () => {
    const machines = [machine('a', { cpu: '3', pods: residents(1, 'a', { cpu: '1500m' }) })];
    const pods = [pendingPod('w', { cpu: '2' })];
    expect(search({ machines, pods }).texts).toEqual(['replace: [a] -> [1 replacement]']);
  });
});

describe('pods of a node that goes anyway', () => {
  it('take the room that others would have moved to', () => {
    const machines = [machine('a', { pods: residents(2, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(search({ machines, types: [large] }).texts).toEqual(['delete: [a]']);
    const more = [...machines, machine('going', { pods: residents(2, 'going') })];
    expect(search({ machines: more, types: [large], facts: going }).texts).toEqual([]);
  });

  it('may go to a node that is not initialized, where pods that could stay may not', () => {
    const machines = [
      machine('going', { pods: residents(8, 'going') }),
      machine('coming', { isInitialized: false }),
      machine('a', { pods: residents(1, 'a') }),
      machine('b', { pods: residents(7, 'b') }),
    ];
    expect(search({ machines, facts: going }).texts).toEqual(['delete: [a]']);
  });
});
