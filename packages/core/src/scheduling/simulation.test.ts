import { drained } from '@karpenter/testkit/disruptable-clusters';
import { boundPod, instanceType, node, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, plan, type Removal, Simulation, type Snapshot } from './index.ts';

const types = [
  instanceType('m4', { cpu: '4', price: 4 }),
  instanceType('m8', { cpu: '8', memory: '64Gi', price: 8 }),
];
/** More than two of m4 cost. */
const large = instanceType('m8', { cpu: '8', memory: '64Gi', price: 9 });
const zone = 'topology.kubernetes.io/zone';
const app = { labels: { app: 'x' } };
const spread = {
  ...app,
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: zone,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: app.labels },
    },
  ],
};

/** Nodes n0… in three zones, each with these CPUs taken by one pod. */
function cluster(taken: readonly number[], parts: Parameters<typeof pod>[1] = {}): Snapshot {
  const requests = (cpus: number) => ({ cpu: String(cpus), memory: '1Gi', pods: '1' });
  return snapshot({
    types,
    nodes: taken.map((cpus, index) =>
      node(`n${index}`, {
        labels: { [zone]: ['a', 'b', 'c'][index % 3] ?? 'a' },
        podRequests: requests(cpus),
      }),
    ),
    boundPods: taken.map((cpus, index) =>
      boundPod(`p${index}`, `n${index}`, { cpu: String(cpus), ...parts }),
    ),
  });
}

function removalOf({ boundPods }: Snapshot, names: readonly string[]): Removal {
  return { nodes: new Set(names), pods: boundPods.filter(({ nodeName }) => names.includes(nodeName)) };
}

/** The same question, planned from nothing. */
function planWithout(given: Snapshot, { nodes, pods }: Removal): Plan {
  return plan(
    {
      ...given,
      nodes: given.nodes.filter(({ name }) => !nodes.has(name)),
      boundPods: given.boundPods.filter(({ nodeName }) => !nodes.has(nodeName)),
      pods: [...given.pods, ...pods],
    },
    planOptions,
  );
}

const simulationOf = (given: Snapshot, refusing: readonly string[] = []) =>
  drained(
    Simulation.of({
      snapshot: given,
      options: planOptions,
      resources: ['cpu', 'memory'],
      refusing: new Set(refusing),
    }),
  );

describe('a simulation', () => {
  it('places pods as a plan of the remaining cluster does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }),
        fc.nat(),
        fc.boolean(),
        (taken, seed, isSpread) => {
          const given = cluster(taken, isSpread ? spread : {});
          const removal = removalOf(given, [`n${seed % taken.length}`]);
          const { placements, rejections } = drained(simulationOf(given).without(removal));
          const expected = planWithout(given, removal);
          expect({ placements, rejections }).toEqual({
            placements: expected.placements,
            rejections: expected.rejections,
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives the same result for the same removal every time', () => {
    const given = cluster([1, 2, 3, 4], spread);
    const simulation = simulationOf(given);
    const removal = removalOf(given, ['n0']);
    const [first, ...others] = [0, 1, 2].map(() => drained(simulation.without(removal)));
    for (const other of others) expect(other).toEqual(first);
  });

  it('does not reuse room that settled removals took', () => {
    const given = cluster([2, 2, 2]);
    const simulation = simulationOf(given);
    const first = removalOf(given, ['n0']);
    drained(simulation.settle(first, drained(simulation.without(first))));
    const next = drained(simulation.without(removalOf(given, ['n2'])));
    expect(next.placements).toEqual([]);
    expect(next.newNodes).toHaveLength(1);
  });

  it('is not changed by what is settled in a copy, which begins where it stands', () => {
    const given = cluster([1, 1, 1, 1, 1, 1], spread);
    const simulation = simulationOf(given);
    const first = removalOf(given, ['n0']);
    drained(simulation.settle(first, drained(simulation.without(first))));
    const second = removalOf(given, ['n1']);
    const before = drained(simulation.without(second));
    const copied = simulation.copy();
    expect(drained(copied.without(second))).toEqual(before);
    drained(copied.settle(second, before));
    expect(drained(simulation.without(second))).toEqual(before);
    const third = removalOf(given, ['n4']);
    expect(drained(copied.without(third))).not.toEqual(drained(simulation.without(third)));
  });

  it('prefers one new node to several cheaper ones only where that is asked for', () => {
    const given = cluster([3, 3, 3]);
    const removal = removalOf(given, ['n0', 'n1']);
    const costly = {
      ...given,
      instanceTypes: new Map([['default', [types[0], large].flatMap((t) => t ?? [])]]),
    };
    const simulation = simulationOf(costly);
    expect(drained(simulation.without(removal)).newNodes).toHaveLength(2);
    expect(drained(simulation.without({ ...removal, wantsOneNode: true })).newNodes).toHaveLength(1);
  });

  it('divides pods among NodePools as cheaply as a plan does if one new node is asked for in vain', () => {
    const numbers = Array.from({ length: 8 }, (_, index) => index);
    const many = (name: string, memory: string) =>
      numbers.map((index) => pod(`${name}-${index}`, { cpu: '1', memory }));
    const only = (name: string) => [
      { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [name] },
    ];
    const compute = instanceType('compute', { price: 1, cpu: '4', memory: '8Gi' });
    const general = instanceType('general', { price: 2, cpu: '4', memory: '16Gi' });
    const given = {
      ...snapshot({ types: [compute, general], pods: [...many('fat', '4Gi'), ...many('lean', '1800Mi')] }),
      nodePools: [
        pool('heavy', { weight: 9, limits: { cpu: '8' }, requirements: only('compute') }),
        pool('light', { requirements: only('general') }),
      ],
      instanceTypes: new Map(['heavy', 'light'].map((name) => [name, [compute, general]])),
    };
    const priceOf = ({ newNodes }: Plan) => newNodes.reduce((sum, { price }) => sum + price, 0);
    const nothing = { nodes: new Set<string>(), pods: [] };
    const simulated = drained(simulationOf(given).without({ ...nothing, wantsOneNode: true }));
    expect(simulated.rejections).toEqual([]);
    expect(priceOf(simulated)).toBe(6);
    expect(priceOf(plan(given, planOptions))).toBe(6);
  });

  it('counts moved pods in topology groups where settled removals placed them', () => {
    const given = cluster([1, 1, 1, 1, 1, 1], spread);
    const simulation = simulationOf(given);
    const first = removalOf(given, ['n0']);
    const plans = drained(simulation.without(first));
    expect(plans.placements).toEqual([{ node: 'n3', pods: ['p0'] }]);
    drained(simulation.settle(first, plans));
    const second = drained(simulation.without(removalOf(given, ['n1'])));
    expect(second.placements).toEqual([{ node: 'n4', pods: ['p1'] }]);
  });

  it('places no other pods on the new nodes of settled removals', () => {
    const given = cluster([4, 4]);
    const simulation = simulationOf(given);
    const first = removalOf(given, ['n0']);
    drained(simulation.settle(first, drained(simulation.without(first))));
    expect(drained(simulation.without(removalOf(given, ['n1']))).newNodes).toHaveLength(1);
  });

  it('keeps moved pods off nodes that refuse them, but not pending pods', () => {
    const given = { ...cluster([2, 2]), pods: [pod('w')] };
    const simulation = simulationOf(given, ['n1']);
    const removal = removalOf(given, ['n0']);
    expect(drained(simulation.without(removal)).placements).toEqual([{ node: 'n1', pods: ['w'] }]);
    const anywhere = drained(simulation.without({ ...removal, mayGoAnywhere: true }));
    expect(anywhere.placements.flatMap(({ pods }) => pods)).toContain('p0');
  });

  it('does not count removed nodes against the limits of their pool', () => {
    const pools = [pool('default', { limits: { cpu: '8' } })];
    const base = cluster([4, 4]);
    const given = {
      ...base,
      nodePools: pools,
      nodes: base.nodes.map((each) => ({ ...each, nodePool: 'default' })),
    };
    const { newNodes, rejections } = drained(simulationOf(given).without(removalOf(given, ['n0'])));
    expect(rejections).toEqual([]);
    expect(newNodes.map(({ instanceTypes }) => instanceTypes)).toEqual([['m4']]);
  });

  describe('of a cheap NodePool at its limit', () => {
    const base = cluster([3, 3]);
    const given = {
      ...base,
      nodePools: [pool('cheap', { weight: 9, limits: { cpu: '8' } }), pool('costly')],
      instanceTypes: new Map([
        ['cheap', types],
        ['costly', [instanceType('c4', { cpu: '4', price: 40 })]],
      ]),
      nodes: base.nodes.map((each) => ({ ...each, nodePool: 'cheap' })),
    };
    const { nodes, pods } = removalOf(given, ['n0', 'n1']);

    it('expects no higher price than that of the plan that uses what the removal frees', () => {
      const simulation = simulationOf(given);
      const { newNodes } = drained(simulation.without({ nodes, pods }));
      expect(newNodes.map(({ nodePool }) => nodePool)).toEqual(['cheap']);
      const least = simulation.leastPrice({ nodes, requested: [simulation.requestedBy(pods)] });
      expect(least).toBeGreaterThan(0);
      expect(least).toBeLessThanOrEqual(newNodes.reduce((sum, { price }) => sum + price, 0));
    });

    it('expects room on the node that the removal makes possible', () => {
      const simulation = simulationOf(given);
      expect(simulation.mayFit({ nodes, requested: [simulation.requestedBy(pods)] })).toBe(true);
    });
  });

  it('detects pods that cannot fit at all without making a plan', () => {
    const given = cluster([4, 4, 4, 4]);
    const simulation = simulationOf(given);
    const mayFit = (...names: readonly string[]) => {
      const { nodes, pods } = removalOf(given, names);
      return simulation.mayFit({ nodes, requested: [simulation.requestedBy(pods)] });
    };
    expect(mayFit('n0', 'n1')).toBe(true);
    expect(mayFit('n0', 'n1', 'n2')).toBe(false);
  });
});

it('a simulation distinguishes offers by labels that only later pods name', () => {
  const given = snapshot({
    types: [
      instanceType('amd', { price: 1, arch: 'amd64' }),
      instanceType('arm', { price: 2, arch: 'arm64' }),
    ],
    nodes: ['a', 'b'].map((name) => node(name, { podRequests: { cpu: '4' } })),
    boundPods: [
      boundPod('p', 'a', { cpu: '2', nodeSelector: { [zone]: 'b' } }),
      boundPod('q', 'b', { cpu: '2', nodeSelector: { [zone]: 'b', 'kubernetes.io/arch': 'arm64' } }),
      boundPod('r', 'b', { cpu: '2', nodeSelector: { [zone]: 'b' } }),
    ],
  });
  const simulation = simulationOf(given);
  const typesWithout = (name: string) =>
    drained(simulation.without(removalOf(given, [name]))).newNodes.map(({ instanceTypes }) => instanceTypes);
  expect(typesWithout('a')).toEqual([['amd', 'arm']]);
  expect(typesWithout('b')).toEqual([['arm']]);
  expect(typesWithout('a')).toEqual([['amd', 'arm']]);
});
