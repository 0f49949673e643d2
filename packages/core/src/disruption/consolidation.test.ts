import { boundPod, pendingPod } from '@karpenter/testkit/cluster-objects';
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

const both = ['on-demand', 'spot'];
const reservationId = 'karpenter.k8s.aws/capacity-reservation-id';
const small = instanceType('small', {
  cpu: '2',
  memory: '8Gi',
  price: 0.1,
  spotPrice: 0.04,
  capacityTypes: both,
});
const medium = instanceType('medium', {
  cpu: '4',
  memory: '16Gi',
  price: 0.2,
  spotPrice: 0.08,
  capacityTypes: both,
});
const large = instanceType('large', {
  cpu: '8',
  memory: '64Gi',
  price: 0.4,
  spotPrice: 0.16,
  capacityTypes: both,
});
const onDemandOnly = [small, medium, large].map(({ name, capacity, offerings }) =>
  instanceType(name, {
    cpu: String(capacity['cpu']),
    memory: String(capacity['memory']),
    price: offerings[0]?.price ?? 0,
  }),
);

function search(parts: Partial<ClusterParts>, options?: ConsolidationOptions) {
  const snapshot = disruptableCluster({ machines: [], types: onDemandOnly, ...parts });
  return searchedConsolidations(
    consolidationSituation(snapshot, { reservationIdLabel: reservationId, ...options }),
  );
}

const texts = (...args: Parameters<typeof search>) =>
  search(...args).commands.map(({ command }) => shortCommandText(command));
const reportControllerErrors = (...args: Parameters<typeof search>) =>
  search(...args).told.map(({ message }) => message);
const replacementOf = (...args: Parameters<typeof search>) =>
  search(...args).commands.flatMap(({ command }) => command.replacements.filter(isPlanned))[0];
const capacityTypesOf = (replacement: ReturnType<typeof replacementOf>) =>
  replacement?.requirements.find(({ key }) => key === 'karpenter.sh/capacity-type')?.values;

describe('consolidation', () => {
  it('deletes a node whose pods fit on others', () => {
    const machines = [machine('a', { pods: residents(2, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(texts({ machines })).toEqual(['delete: [a]']);
  });

  it('replaces a node by a cheaper one that holds its pods', () => {
    const machines = [machine('a', { pods: residents(3, 'a') })];
    const [found] = search({ machines }).commands;
    expect(found?.command.replacements).toMatchObject([{ instanceTypes: ['medium'], nodePool: 'default' }]);
    expect(found?.command.savings).toBeCloseTo(0.2);
  });

  it('replaces a node by one cheaper one, though two would cost less still', () => {
    const machines = [machine('a', { pods: residents(5, 'a', { memory: '100Mi' }) })];
    const steep = [
      instanceType('two', { cpu: '2', price: 0.05 }),
      instanceType('four', { cpu: '4', price: 0.1 }),
      instanceType('six', { cpu: '6', price: 0.3 }),
      instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
    ];
    const [found] = search({ machines, types: steep }).commands;
    expect(found?.command.replacements).toMatchObject([{ instanceTypes: ['six'] }]);
  });

  it('takes several nodes away at once, each as if those before it were gone', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(2, name) }),
    );
    const { commands } = search({ machines });
    expect(commands.map(({ command }) => command.candidates.length)).toEqual([1, 1, 1, 1]);
  });

  it('never moves pods to a node that goes itself', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(3, name) }),
    );
    const { commands } = search({ machines });
    const going = new Set(commands.flatMap(({ command }) => command.candidates.map(({ name }) => name)));
    const receiving = commands.flatMap(({ command }) => command.destinations.map(({ node }) => node));
    expect(receiving.filter((name) => going.has(name))).toEqual([]);
    expect(going.size).toBeGreaterThan(1);
  });

  it('deletes a node to which pods of others were to go, when all of them fit elsewhere', () => {
    const machines = [
      machine('a', { pods: residents(1, 'a') }),
      machine('b', { type: 'small', cpu: '2', pods: residents(1, 'b', { priority: 2 ** 26 }) }),
      machine('c', { pods: residents(5, 'c', { priority: 2 ** 27 }) }),
    ];
    const { commands } = search({ machines });
    expect(commands.map(({ command }) => shortCommandText(command))).toEqual(['delete: [a]', 'delete: [b]']);
    const moves = commands.flatMap(({ command }) =>
      command.destinations.map(({ node, pods }) => [node, ...pods.map(({ metadata }) => metadata.name)]),
    );
    expect(moves).toEqual([['c', 'a-0', 'b-0']]);
  });

  it('replaces no node to which pods of others go: they could not wait there for the replacement', () => {
    const machines = [
      machine('a', { pods: residents(1, 'a') }),
      machine('b', { pods: residents(2, 'b', { priority: 2 ** 26 }) }),
    ];
    expect(texts({ machines })).toEqual(['delete: [a]']);
  });

  it('joins several nodes in one that is cheaper than all of them', () => {
    const machines = ['a', 'b', 'c'].map((name) =>
      machine(name, { type: 'medium', cpu: '4', pods: residents(1, name, { cpu: '2500m' }) }),
    );
    expect(
      texts({ machines, types: [onDemandOnly[1], onDemandOnly[2]].flatMap((type) => type ?? []) }),
    ).toEqual(['replace: [a, b, c] -> [1 replacement]']);
  });

  it('joins nodes of one zone in one whose pods may not leave it', () => {
    const zonal = (name: string, zone: string) =>
      machine(name, {
        zone,
        type: 'medium',
        cpu: '4',
        pods: residents(1, name, {
          cpu: '2500m',
          nodeSelector: { 'topology.kubernetes.io/zone': zone },
        }),
      });
    const zones = ['a', 'b'];
    const sold = ['medium', 'large'].map((name, index) =>
      instanceType(name, { cpu: String(4 + 4 * index), memory: '64Gi', price: 0.2 + 0.1 * index, zones }),
    );
    const machines = ['a', 'b', 'c', 'd'].map((name, index) => zonal(name, zones[index % 2] ?? ''));
    expect(texts({ machines, types: sold })).toEqual([
      'replace: [a, c] -> [1 replacement]',
      'replace: [b, d] -> [1 replacement]',
    ]);
  });

  it('takes the replacement that saves most first, whichever comes first in the order of candidates', () => {
    const teams = ['x', 'y'].map((team) => disruptedPool(team, { labels: { team } }));
    const labelled = (name: string, team: string, parts: Parameters<typeof machine>[1]) =>
      machine(name, {
        pool: team,
        labels: { team },
        ...parts,
        pods: parts?.pods?.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeSelector: { team } } })) ?? [],
      });
    const machines = [
      labelled('a', 'x', { type: 'medium', cpu: '4', pods: residents(1, 'a') }),
      labelled('b', 'y', { pods: residents(15, 'b', { cpu: '100m', memory: '100Mi' }) }),
    ];
    const { commands } = search({ machines, pools: teams });
    expect(commands.map(({ command }) => command.candidates.map(({ name }) => name))).toEqual([['b'], ['a']]);
  });

  it('goes no further than budgets allow', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(1, name) }),
    );
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(search({ machines, pools }).commands.flatMap(({ command }) => command.candidates)).toHaveLength(2);
  });

  it('looks at every candidate', () => {
    const machines = ['a', 'b', 'c', 'd'].map((name) => machine(name, { pods: residents(8, name) }));
    const { eligible, evaluated, commands } = search({ machines });
    expect({ eligible: eligible.length, evaluated, commands }).toEqual({
      eligible: 4,
      evaluated: 4,
      commands: [],
    });
  });
});

describe('a node is not consolidated, and is told why', () => {
  const busy = { pods: residents(8, 'n') };

  it('when nothing cheaper holds its pods', () => {
    expect(reportControllerErrors({ machines: [machine('n', busy)] })).toEqual([
      "Can't replace with a cheaper node",
    ]);
  });

  it('when its pods would not all find a place', () => {
    const pods = residents(6, 'n', { nodeSelector: { never: 'here' } });
    const [message] = reportControllerErrors({ machines: [machine('n', { pods })] });
    expect(message).toMatch(/^Not all pods would schedule, default\/n-\d => .* default\/n-\d => /);
    expect(message).toMatch(/ {2}and 1 other\(s\)$/);
  });

  it('when more than one node would have to be made', () => {
    const pods = [
      boundPod('x', 'n', { owner: 'ReplicaSet/x', nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }),
      boundPod('y', 'n', { owner: 'ReplicaSet/y', nodeSelector: { 'topology.kubernetes.io/zone': 'b' } }),
    ];
    expect(reportControllerErrors({ machines: [machine('n', { pods })] })).toEqual([
      "Can't remove without creating 2 candidates",
    ]);
  });

  it('when its instance type, capacity type or zone is not known', () => {
    expect(reportControllerErrors({ machines: [machine('n', { ...busy, type: 'odd' })] })).toEqual([
      'Instance Type "odd" not found',
    ]);
    const without = (label: string) => {
      const made = machine('n', busy);
      const { [label]: _, ...labels } = made.node.metadata.labels ?? {};
      return { ...made, node: { ...made.node, metadata: { ...made.node.metadata, labels } } };
    };
    for (const label of ['karpenter.sh/capacity-type', 'topology.kubernetes.io/zone'])
      expect(reportControllerErrors({ machines: [without(label)] })).toEqual([
        `Node does not have label "${label}"`,
      ]);
  });

  it('when its pool does not want consolidation, or only of empty nodes', () => {
    const told = (disruption: NonNullable<Parameters<typeof disruptedPool>[1]>['disruption'] = {}) =>
      reportControllerErrors({
        machines: [machine('n', busy)],
        pools: [disruptedPool('default', { disruption })],
      });
    expect(told({ consolidateAfter: 'Never' })).toEqual(['NodePool "default" has consolidation disabled']);
    expect(told({ consolidationPolicy: 'WhenEmpty' })).toEqual([
      'NodePool "default" has consolidation policy WhenEmpty, but node is not empty',
    ]);
  });

  it('but not when its pool is static, or the node is empty or not Consolidatable', () => {
    const isStatic = [disruptedPool('default', { replicas: 1 })];
    expect(search({ machines: [machine('n', busy)], pools: isStatic })).toMatchObject({
      told: [],
      eligible: [],
    });
    expect(search({ machines: [machine('n')] })).toMatchObject({ told: [], eligible: [] });
    const made = machine('n', busy);
    const conditions =
      made.nodeClaim.status?.conditions?.filter(({ type }) => type !== 'Consolidatable') ?? [];
    const restless = {
      ...made,
      nodeClaim: { ...made.nodeClaim, status: { ...made.nodeClaim.status, conditions } },
    };
    expect(search({ machines: [restless] })).toMatchObject({ told: [], eligible: [] });
  });
});

describe('the price of a replacement', () => {
  const three = { pods: residents(3, 'n') };

  it('is judged by the dearest offering that a launch might take', () => {
    const uneven = {
      ...medium,
      offerings: medium.offerings.map((offering, index) => ({ ...offering, price: index === 0 ? 0.5 : 0.1 })),
    };
    const types = [
      { ...uneven, offerings: uneven.offerings.filter((_, index) => index % 2 === 0) },
      onDemandOnly[2] ?? large,
    ];
    expect(texts({ machines: [machine('n', three)], types })).toEqual([]);
  });

  it('pins a replacement that might be spot or on-demand to spot', () => {
    const replacement = replacementOf({ machines: [machine('n', three)], types: [small, medium, large] });
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('never lets a node go for another while its own price is unknown', () => {
    expect(texts({ machines: [machine('n', { ...three, zone: 'z' })] })).toEqual([]);
  });

  it('keeps as many values as minValues asks for, or keeps the node', () => {
    const requirements = [
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 },
    ];
    const pools = [disruptedPool('default', { requirements })];
    expect(reportControllerErrors({ machines: [machine('n', three)], pools })).toEqual([
      'Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])',
    ]);
  });
});

describe('from spot to spot', () => {
  const cheap = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      instanceType(`s${String(index).padStart(2, '0')}`, {
        cpu: '4',
        memory: '16Gi',
        price: 0.2,
        spotPrice: 0.05 + index / 1000,
        capacityTypes: both,
      }),
    );
  const spotNode = machine('n', { capacityType: 'spot', pods: residents(3, 'n') });

  it('nothing is replaced while the gate is off', () => {
    expect(reportControllerErrors({ machines: [spotNode], types: [...cheap(20), large] })).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ]);
  });

  it('one node needs fifteen cheaper types', () => {
    expect(
      reportControllerErrors(
        { machines: [spotNode], types: [...cheap(14), large] },
        { allowsSpotToSpot: true },
      ),
    ).toEqual([
      'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 14',
    ]);
  });

  it('one node is replaced by one of the fifteen cheapest, so that the next round finds nothing', () => {
    const replacement = replacementOf(
      { machines: [spotNode], types: [...cheap(20), large] },
      { allowsSpotToSpot: true },
    );
    expect(replacement?.instanceTypes).toHaveLength(15);
    expect(replacement?.instanceTypes[0]).toBe('s00');
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('several nodes need no fifteen types', () => {
    const machines = ['a', 'b', 'c'].map((name) =>
      machine(name, {
        type: 'medium',
        cpu: '4',
        capacityType: 'spot',
        pods: residents(1, name, { cpu: '2500m' }),
      }),
    );
    expect(texts({ machines, types: [medium, large] }, { allowsSpotToSpot: true })).toEqual([
      'replace: [a, b, c] -> [1 replacement]',
    ]);
  });

  it('a mix with on-demand nodes does not need the gate', () => {
    const machines = ['a', 'b', 'c'].map((name, index) =>
      machine(name, {
        type: 'medium',
        cpu: '4',
        capacityType: index === 0 ? 'on-demand' : 'spot',
        pods: residents(1, name, { cpu: '2500m' }),
      }),
    );
    const replacement = replacementOf({ machines, types: [medium, large] });
    expect(replacement?.instanceTypes).toEqual(['large']);
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });
});

describe('a replacement for several nodes', () => {
  it('is none of a type that goes unless it is cheaper than the cheapest of them', () => {
    const machines = ['a', 'b'].map((name) =>
      machine(name, { cpu: '4', pods: residents(1, name, { cpu: '2500m' }) }),
    );
    expect(texts({ machines, types: [onDemandOnly[2] ?? large] })).toEqual([]);
    expect(reportControllerErrors({ machines, types: [onDemandOnly[2] ?? large] })).toEqual([
      "Can't replace with a cheaper node",
      "Can't replace with a cheaper node",
    ]);
    const cheaper = instanceType('other', { cpu: '8', memory: '64Gi', price: 0.39 });
    expect(texts({ machines, types: [onDemandOnly[2] ?? large, cheaper] })).toEqual([
      'replace: [a, b] -> [1 replacement]',
    ]);
  });
});

describe('pods that wait', () => {
  it('do not keep a node when nothing can be done for them anyway', () => {
    const pods = [pendingPod('w', { nodeSelector: { never: 'here' } })];
    const machines = [machine('a', { pods: residents(2, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(texts({ machines, pods })).toEqual(['delete: [a]']);
  });

  it('keep all nodes while several have to be made for them', () => {
    const pods = ['a', 'b'].map((zone) =>
      pendingPod(zone, { cpu: '7', nodeSelector: { 'topology.kubernetes.io/zone': zone } }),
    );
    const machines = ['a', 'b', 'c'].map((name) => machine(name, { pods: residents(2, name) }));
    const { commands, told } = search({ machines, pods });
    expect(commands).toEqual([]);
    expect(new Set(told.map(({ message }) => message))).toEqual(
      new Set(["Can't remove without creating 2 candidates"]),
    );
  });

  it('take the room that others would have moved to', () => {
    const pods = [pendingPod('w', { cpu: '2' })];
    const machines = [machine('a', { pods: residents(8, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(texts({ machines, pods })).toEqual([]);
  });
});

describe('a node that its pool wants left alone for a while', () => {
  const pools = [disruptedPool('default', { disruption: { consolidateAfter: '1h' } })];
  const quiet = machine('a', { pods: residents(2, 'a') });
  const busy = machine('b', { pods: residents(6, 'b'), lastPodEventTime: '2026-01-09T23:30:00Z' });

  it('takes no pods that could stay where they are', () => {
    expect(texts({ machines: [quiet, busy], pools })).not.toContain('delete: [a]');
  });

  it('takes pods that wait', () => {
    const other = machine('c', { pods: residents(8, 'c') });
    const { commands, told } = search({ machines: [other, busy], pools, pods: [pendingPod('w')] });
    expect(commands).toEqual([]);
    // Else a node would have to be made for the pod, and another one in the place of this.
    expect(told.map(({ candidate, message }) => [candidate.name, message])).toContainEqual([
      'c',
      "Can't replace with a cheaper node",
    ]);
  });
});

describe('a node that is not initialized', () => {
  it('is not counted on for pods that could stay', () => {
    const machines = [machine('a', { pods: residents(8, 'a') }), machine('b', { isInitialized: false })];
    const [message] = reportControllerErrors({ machines });
    expect(message).toContain('would schedule against uninitialized nodeclaim/claim-b, node/b');
  });
});

describe('the policy Balanced', () => {
  const pools = [disruptedPool('default', { disruption: { consolidationPolicy: 'Balanced' } })];

  it('approves what saves at least half of what it disturbs, in shares of the pool', () => {
    const machines = [machine('a', { pods: residents(1, 'a') }), machine('b', { pods: residents(5, 'b') })];
    const { commands } = search({ machines, pools });
    expect(commands).toMatchObject([{ scores: [{ isApproved: true, policy: 'Balanced' }] }]);
    // Half of the cost for 2 of 8 parts of the disturbance.
    expect(commands[0]?.scores[0]?.score).toBeCloseTo(2);
  });

  it('refuses what disturbs much for little', () => {
    const machines = [
      machine('a', { type: 'medium', cpu: '4', pods: residents(30, 'a', { cpu: '100m' }) }),
      ...['b', 'c', 'd', 'e'].map((name) => machine(name, { pods: residents(1, name, { cpu: '7' }) })),
    ];
    const { commands, refused } = search({ machines, pools });
    expect(commands.flatMap(({ command }) => command.candidates.map(({ name }) => name))).not.toContain('a');
    expect(refused.every(({ isApproved }) => !isApproved)).toBe(true);
  });
});

describe('capacity reservations', () => {
  const reserved = instanceType('medium', {
    cpu: '4',
    memory: '16Gi',
    price: 0.2,
    capacityTypes: both,
    reservations: [{ id: 'r-1', capacity: 1 }],
  });

  it('are used by a replacement, which is pinned to them and needs no gate, whatever is replaced', () => {
    const machines = [machine('n', { capacityType: 'spot', pods: residents(3, 'n') })];
    const replacement = replacementOf({ machines, types: [reserved, large] });
    expect(capacityTypesOf(replacement)).toEqual(['reserved']);
    expect(replacement?.requirements).toContainEqual({ key: reservationId, operator: 'In', values: ['r-1'] });
  });

  it('are promised to one command at a time', () => {
    const teams = ['x', 'y'].map((team) => disruptedPool(team, { labels: { team } }));
    const machines = ['x', 'y'].map((team) =>
      machine(team, {
        pool: team,
        labels: { team },
        pods: residents(3, team, { nodeSelector: { team } }),
      }),
    );
    const { commands } = search({ machines, pools: teams, types: [reserved, large] });
    const holding = commands.filter(({ command }) =>
      command.replacements
        .filter(isPlanned)
        .some(({ requirements }) =>
          requirements.some(({ key, operator }) => key === reservationId && operator === 'In'),
        ),
    );
    expect(holding).toHaveLength(1);
  });
});

describe('nodes that nobody here manages', () => {
  it('count as room for pods', () => {
    const machines = [machine('a', { pods: residents(2, 'a') })];
    const { node } = machine('other', { labels: { 'karpenter.sh/nodepool': '' } });
    const { 'karpenter.sh/nodepool': _, ...labels } = node.metadata.labels ?? {};
    const unmanaged = { ...node, metadata: { ...node.metadata, labels } };
    expect(texts({ machines, nodes: [unmanaged] })).toEqual(['delete: [a]']);
  });
});

describe('without a NodePool that is ready', () => {
  it('nothing can be simulated, which is an error', () => {
    const conditions = [
      {
        type: 'Ready',
        status: 'False' as const,
        reason: 'x',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    const machines = [machine('a', { pods: residents(2, 'a') })];
    expect(() => search({ machines, pools: [disruptedPool('default', { conditions })] })).toThrow(
      expect.objectContaining({ code: 'no-usable-node-pool' }),
    );
  });
});
