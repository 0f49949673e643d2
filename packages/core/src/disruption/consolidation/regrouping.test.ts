import {
  type ClusterParts,
  clusterTime,
  consolidationSituation,
  disruptableCluster,
  disruptedPool,
  drained,
  managedNode,
  runningPods,
  searchedConsolidations,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type Command, isPlanned, shortCommandText, validateConsolidations } from '../index.ts';

const two = instanceType('two', { cpu: '2', memory: '8Gi', price: 0.1 });
const four = instanceType('four', { cpu: '4', memory: '16Gi', price: 0.2 });
const eight = instanceType('eight', { cpu: '8', memory: '64Gi', price: 0.4 });
const types = [two, four, eight];

interface Options {
  readonly allowsSpotToSpot?: boolean;
}

function situation(parts: Partial<ClusterParts>, options: Options = {}) {
  return consolidationSituation(disruptableCluster({ managedNodes: [], types, ...parts }), options);
}

function commandsOf(parts: Partial<ClusterParts>, options?: Options): readonly Command[] {
  return searchedConsolidations(situation(parts, options)).commands.map(({ command }) => command);
}

const texts = (...args: Parameters<typeof commandsOf>) => commandsOf(...args).map(shortCommandText);
const typesOf = (command: Command | undefined) =>
  command?.replacements.filter(isPlanned).map(({ instanceTypes }) => instanceTypes);

const eightWith = (name: string, count: number, cpu = '1') =>
  managedNode(name, { type: 'eight', pods: runningPods(count, name, { cpu, memory: '100Mi' }) });

describe('regrouping', () => {
  it('replaces a large node by several smaller ones that together cost less', () => {
    const [command, ...others] = commandsOf({ managedNodes: [eightWith('a', 6)] });
    expect(others).toEqual([]);
    expect(command && shortCommandText(command)).toBe('replace: [a] -> [2 replacements]');
    expect(command?.savings).toBeCloseTo(0.1);
    expect(command?.consolidationType).toBe('single');
  });

  // Two pods on each node, of which none can take a third.
  const halfEmpty = ['a', 'b', 'c'].map((name) => eightWith(name, 2, '2750m'));
  const three = instanceType('three', { cpu: '3', price: 0.1 });

  it('replaces several nodes by several others', () => {
    const nine = instanceType('nine', { cpu: '9', price: 0.25 });
    const [command] = commandsOf({ managedNodes: halfEmpty, types: [three, nine, eight] });
    expect(command && shortCommandText(command)).toBe('replace: [a, b, c] -> [2 replacements]');
    expect(command?.savings).toBeCloseTo(0.7);
    expect(command?.consolidationType).toBe('multi');
  });

  it('replaces each of several nodes by several others, if that saves as much', () => {
    expect(texts({ managedNodes: halfEmpty, types: [three, eight] })).toEqual([
      'replace: [a] -> [2 replacements]',
      'replace: [b] -> [2 replacements]',
      'replace: [c] -> [2 replacements]',
    ]);
  });

  it('moves each pod once, where deleting a small node would fill a large one that is replaced next', () => {
    const managedNodes = [
      eightWith('large', 3),
      managedNode('small', { type: 'four', cpu: '4', pods: runningPods(4, 'small', { memory: '100Mi' }) }),
    ];
    const seven = instanceType('seven', { cpu: '7', price: 0.25 });
    expect(texts({ managedNodes, types: [...types, seven] })).toEqual([
      'replace: [large, small] -> [1 replacement]',
    ]);
  });

  it('prefers separate commands when it saves no more than they do', () => {
    const zonal = (name: string, zone: string) =>
      managedNode(name, {
        zone,
        type: 'eight',
        pods: runningPods(3, name, { nodeSelector: { 'topology.kubernetes.io/zone': zone } }),
      });
    expect(texts({ managedNodes: [zonal('a', 'a'), zonal('b', 'b')] })).toEqual([
      'replace: [a] -> [1 replacement]',
      'replace: [b] -> [1 replacement]',
    ]);
  });

  it('is turned off by an annotation of the NodePool', () => {
    const pools = [disruptedPool('default', { annotations: { 'karpenter-ts/regrouping': 'false' } })];
    expect(texts({ managedNodes: [eightWith('a', 6)], pools })).toEqual([]);
  });

  it('takes no more nodes at once than the budget allows', () => {
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '1' }] } })];
    expect(texts({ managedNodes: [eightWith('a', 7), eightWith('b', 7)], pools })).toEqual([
      'replace: [a] -> [2 replacements]',
    ]);
  });

  it('keeps a node of a type that it would buy again', () => {
    const zonal = (name: string, type: string, count: number) =>
      managedNode(name, {
        type,
        zone: type === 'two' ? 'a' : 'b',
        pods: runningPods(count, name, {
          memory: '100Mi',
          nodeSelector: { 'topology.kubernetes.io/zone': type === 'two' ? 'a' : 'b' },
        }),
      });
    const managedNodes = [zonal('full', 'two', 2), zonal('roomy', 'eight', 6)];
    expect(texts({ managedNodes })).toEqual(['replace: [roomy] -> [2 replacements]']);
  });

  it.each([
    ['less than a twentieth of the price', 0.384, 6],
    ['less than a tenth of a cent for each pod that moves', 0.34, 70],
  ])('does not happen for %s', (_, price, count) => {
    const half = price / 2;
    const managedNodes = [
      managedNode('a', {
        type: 'eight',
        pods: runningPods(count, 'a', { cpu: `${Math.floor(7900 / count)}m`, memory: '10Mi' }),
      }),
    ];
    const few = [instanceType('half', { cpu: '4', memory: '16Gi', price: half }), eight];
    expect(texts({ managedNodes, types: few })).toEqual([]);
    expect(texts({ managedNodes, types: [instanceType('half', { cpu: '4', price: 0.1 }), eight] })).toEqual([
      'replace: [a] -> [2 replacements]',
    ]);
  });

  it('leaves each replacement only types with which all together cost less at their worst prices', () => {
    const middling = instanceType('middling', { cpu: '4', memory: '16Gi', price: 0.15 });
    const cheap = instanceType('cheap', { cpu: '4', memory: '16Gi', price: 0.11 });
    const pricey = instanceType('pricey', { cpu: '4', memory: '16Gi', price: 0.22 });
    const [command] = commandsOf({
      managedNodes: [eightWith('a', 8)],
      types: [cheap, middling, pricey, eight],
    });
    expect(typesOf(command)).toEqual([
      ['cheap', 'middling'],
      ['cheap', 'middling'],
    ]);
  });

  it('leaves pending pods their new node and waits', () => {
    const pending = runningPods(1, '', { cpu: '4' }).map(({ spec: { nodeName: _, ...spec }, ...pod }) => ({
      ...pod,
      spec,
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      },
    }));
    expect(texts({ managedNodes: [eightWith('a', 6)], pods: pending })).toEqual([]);
  });
});

describe('regrouping of spot nodes', () => {
  const spot = (name: string, cpu: string, spotPrice: number) =>
    instanceType(name, { cpu, memory: '16Gi', price: 1, spotPrice, capacityTypes: ['spot'] });
  const smaller = (count: number) =>
    Array.from({ length: count }, (_, index) => spot(`four-${index}`, '4', 0.1 + index / 1000));
  const managedNodes = [
    managedNode('a', {
      type: 'eight',
      capacityType: 'spot',
      pods: runningPods(8, 'a', { memory: '100Mi' }),
    }),
  ];
  const found = (count: number, allowsSpotToSpot = true) =>
    texts({ managedNodes, types: [...smaller(count), spot('eight', '8', 0.4)] }, { allowsSpotToSpot });

  it('needs fifteen types for each replacement', () => {
    expect(found(15)).toEqual(['replace: [a] -> [2 replacements]']);
    expect(found(14)).toEqual([]);
  });

  it('needs the feature gate SpotToSpotConsolidation', () => {
    expect(found(20, false)).toEqual([]);
  });
});

describe('a node that started minutes ago', () => {
  const startedAt = (minutes: number) => {
    const node = managedNode('a', { type: 'eight', pods: runningPods(6, 'a') });
    const creationTimestamp = new Date(clusterTime - minutes * 60_000).toISOString();
    const metadata = { ...node.nodeClaim.metadata, creationTimestamp };
    return { ...node, nodeClaim: { ...node.nodeClaim, metadata } };
  };
  const slightlyCheaper = [instanceType('other', { cpu: '8', memory: '64Gi', price: 0.39 }), eight];

  it('is not replaced for less than the minimum savings', () => {
    expect(texts({ managedNodes: [startedAt(4)], types: slightlyCheaper })).toEqual([]);
    expect(texts({ managedNodes: [startedAt(6)], types: slightlyCheaper })).toEqual([
      'replace: [a] -> [1 replacement]',
    ]);
  });

  const fullNodes = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      managedNode(`n${index}`, {
        type: 'eight',
        annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
        pods: runningPods(8, `n${index}`),
      }),
    );

  it('is not replaced for little of what its NodePool costs', () => {
    const cheaper = [instanceType('other', { cpu: '8', memory: '64Gi', price: 0.35 }), eight];
    expect(texts({ managedNodes: [startedAt(4)], types: cheaper })).toHaveLength(1);
    expect(texts({ managedNodes: [startedAt(4), ...fullNodes(3)], types: cheaper })).toEqual([]);
  });

  it('is replaced for half of its own price', () => {
    const cheaper = [instanceType('six', { cpu: '6', memory: '64Gi', price: 0.16 }), eight];
    expect(texts({ managedNodes: [startedAt(4), ...fullNodes(13)], types: cheaper })).toEqual([
      'replace: [a] -> [1 replacement]',
    ]);
  });

  it('is split only for a share of what its NodePool costs', () => {
    const cheaper = [instanceType('three', { cpu: '3', memory: '64Gi', price: 0.08 }), eight];
    const found = (minutes: number, others: number) =>
      texts({ managedNodes: [startedAt(minutes), ...fullNodes(others)], types: cheaper });
    // It saves $0.24 of $0.40 for each node.
    expect(found(4, 10)).toEqual(['replace: [a] -> [2 replacements]']);
    expect(found(4, 13)).toEqual([]);
    expect(found(6, 13)).toEqual(['replace: [a] -> [2 replacements]']);
  });

  it('is regrouped with another only if that saves a tenth of its own price', () => {
    const managedNodes = [startedAt(4), eightWith('roomy', 1, '3')];
    const cheaper = (price: number) => [
      instanceType('three', { cpu: '3', memory: '64Gi', price: 0.19 }),
      instanceType('six', { cpu: '6', memory: '64Gi', price }),
      eight,
    ];
    expect(texts({ managedNodes, types: cheaper(0.37) })).toEqual(['replace: [roomy] -> [1 replacement]']);
    expect(texts({ managedNodes, types: cheaper(0.33) })).toEqual([
      'replace: [roomy, a] -> [2 replacements]',
    ]);
  });
});

describe('a regrouping at validation', () => {
  const before = { managedNodes: [eightWith('a', 6)] };
  const validated = (now: Partial<ClusterParts>) => {
    const { valid, rejected } = drained(validateConsolidations(commandsOf(before), situation(now)));
    return { valid: valid.map(shortCommandText), rejected: rejected.map(({ reason }) => reason) };
  };

  it('is valid when nothing has changed', () => {
    expect(validated(before)).toEqual({ valid: ['replace: [a] -> [2 replacements]'], rejected: [] });
  });

  it('runs with fewer new nodes when pods have gone', () => {
    expect(validated({ managedNodes: [eightWith('a', 4)] })).toEqual({
      valid: ['replace: [a] -> [1 replacement]'],
      rejected: [],
    });
  });

  it('is rejected when it would need more nodes', () => {
    const managedNodes = [eightWith('a', 7)];
    expect(validated({ managedNodes, types: [two, eight] }).rejected).toEqual(['scheduling']);
  });

  it('is rejected when most of its savings are gone', () => {
    const costlyFour = instanceType('four', { cpu: '4', memory: '16Gi', price: 0.25 });
    expect(validated({ ...before, types: [two, costlyFour, eight] }).rejected).toEqual(['scheduling']);
  });
});
