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

  it('replaces a node with a cheaper one that fits its pods', () => {
    const machines = [machine('a', { pods: residents(3, 'a') })];
    const [found] = search({ machines }).commands;
    expect(found?.command.replacements).toMatchObject([{ instanceTypes: ['medium'], nodePool: 'default' }]);
    expect(found?.command.savings).toBeCloseTo(0.2);
  });

  it('replaces a node with one cheaper node, even if two would cost less', () => {
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

  it('removes several nodes in one search, each as if the earlier ones were gone', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(2, name) }),
    );
    const { commands } = search({ machines });
    expect(commands.map(({ command }) => command.candidates.length)).toEqual([1, 1, 1, 1]);
  });

  it('never moves pods to a node that is removed too', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(3, name) }),
    );
    const { commands } = search({ machines });
    const going = new Set(commands.flatMap(({ command }) => command.candidates.map(({ name }) => name)));
    const receiving = commands.flatMap(({ command }) => command.destinations.map(({ node }) => node));
    expect(receiving.filter((name) => going.has(name))).toEqual([]);
    expect(going.size).toBeGreaterThan(1);
  });

  it('deletes a node that was a destination when all pods fit elsewhere', () => {
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

  it('does not replace a node that is a destination, because moved pods cannot wait there for the replacement', () => {
    const machines = [
      machine('a', { pods: residents(1, 'a') }),
      machine('b', { pods: residents(2, 'b', { priority: 2 ** 26 }) }),
    ];
    expect(texts({ machines })).toEqual(['delete: [a]']);
  });

  it('replaces several nodes with one that is cheaper than all of them', () => {
    const machines = ['a', 'b', 'c'].map((name) =>
      machine(name, { type: 'medium', cpu: '4', pods: residents(1, name, { cpu: '2500m' }) }),
    );
    expect(
      texts({ machines, types: [onDemandOnly[1], onDemandOnly[2]].flatMap((type) => type ?? []) }),
    ).toEqual(['replace: [a, b, c] -> [1 replacement]']);
  });

  it('replaces nodes of one zone with one node when their pods must stay in the zone', () => {
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

  it('takes the replacement with the largest savings first, whatever the order of candidates', () => {
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

  it('stays within budgets', () => {
    const machines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      machine(name, { pods: residents(1, name) }),
    );
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(search({ machines, pools }).commands.flatMap(({ command }) => command.candidates)).toHaveLength(2);
  });

  it('evaluates every candidate', () => {
    const machines = ['a', 'b', 'c', 'd'].map((name) => machine(name, { pods: residents(8, name) }));
    const { eligible, evaluated, commands } = search({ machines });
    expect({ eligible: eligible.length, evaluated, commands }).toEqual({
      eligible: 4,
      evaluated: 4,
      commands: [],
    });
  });
});

describe('a node is not consolidated, with a message,', () => {
  const busy = { pods: residents(8, 'n') };

  it('when nothing cheaper fits its pods', () => {
    expect(reportControllerErrors({ machines: [machine('n', busy)] })).toEqual([
      "Can't replace with a cheaper node",
    ]);
  });

  it('when its pods would not all schedule', () => {
    const pods = residents(6, 'n', { nodeSelector: { never: 'here' } });
    const [message] = reportControllerErrors({ machines: [machine('n', { pods })] });
    expect(message).toMatch(/^Not all pods would schedule, default\/n-\d => .* default\/n-\d => /);
    expect(message).toMatch(/ {2}and 1 other\(s\)$/);
  });

  it('when more than one new node would be needed', () => {
    const pods = [
      boundPod('x', 'n', { owner: 'ReplicaSet/x', nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }),
      boundPod('y', 'n', { owner: 'ReplicaSet/y', nodeSelector: { 'topology.kubernetes.io/zone': 'b' } }),
    ];
    expect(reportControllerErrors({ machines: [machine('n', { pods })] })).toEqual([
      "Can't remove without creating 2 candidates",
    ]);
  });

  it('when its instance type, capacity type or zone is unknown', () => {
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

  it('when its NodePool disables consolidation or allows it only for empty nodes', () => {
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

  it('but without one when its NodePool is static, or the node is empty or not Consolidatable', () => {
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

  it('is the most expensive offering that a launch may take', () => {
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

  it('pins a replacement that could be spot or on-demand to spot', () => {
    const replacement = replacementOf({ machines: [machine('n', three)], types: [small, medium, large] });
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('never allows replacing a node whose own price is unknown', () => {
    expect(texts({ machines: [machine('n', { ...three, zone: 'z' })] })).toEqual([]);
  });

  it('keeps the node when the cheaper types do not satisfy minValues', () => {
    const requirements = [
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 },
    ];
    const pools = [disruptedPool('default', { requirements })];
    expect(reportControllerErrors({ machines: [machine('n', three)], pools })).toEqual([
      'Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])',
    ]);
  });
});

describe('spot-to-spot consolidation', () => {
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

  it('does nothing while the feature gate is off', () => {
    expect(reportControllerErrors({ machines: [spotNode], types: [...cheap(20), large] })).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ]);
  });

  it('needs 15 cheaper types for a single node', () => {
    expect(
      reportControllerErrors(
        { machines: [spotNode], types: [...cheap(14), large] },
        { allowsSpotToSpot: true },
      ),
    ).toEqual([
      'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 14',
    ]);
  });

  it('limits a single node to the 15 cheapest types, so that the next pass finds nothing', () => {
    const replacement = replacementOf(
      { machines: [spotNode], types: [...cheap(20), large] },
      { allowsSpotToSpot: true },
    );
    expect(replacement?.instanceTypes).toHaveLength(15);
    expect(replacement?.instanceTypes[0]).toBe('s00');
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('needs no 15 types for several nodes', () => {
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

  it('does not apply to a mix with on-demand nodes', () => {
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
  it('has no type of a candidate unless it is cheaper than the cheapest such candidate', () => {
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

describe('pending pods', () => {
  it('do not keep a node when they are unschedulable anyway', () => {
    const pods = [pendingPod('w', { nodeSelector: { never: 'here' } })];
    const machines = [machine('a', { pods: residents(2, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(texts({ machines, pods })).toEqual(['delete: [a]']);
  });

  it('keep all nodes while several new ones are needed for them', () => {
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

  it('take the room that other pods would have moved to', () => {
    const pods = [pendingPod('w', { cpu: '2' })];
    const machines = [machine('a', { pods: residents(8, 'a') }), machine('b', { pods: residents(6, 'b') })];
    expect(texts({ machines, pods })).toEqual([]);
  });
});

describe('a node within consolidateAfter of its last pod event', () => {
  const pools = [disruptedPool('default', { disruption: { consolidateAfter: '1h' } })];
  const quiet = machine('a', { pods: residents(2, 'a') });
  const busy = machine('b', { pods: residents(6, 'b'), lastPodEventTime: '2026-01-09T23:30:00Z' });

  it('receives no pods that could stay where they are', () => {
    expect(texts({ machines: [quiet, busy], pools })).not.toContain('delete: [a]');
  });

  it('receives pending pods', () => {
    const other = machine('c', { pods: residents(8, 'c') });
    const { commands, told } = search({ machines: [other, busy], pools, pods: [pendingPod('w')] });
    expect(commands).toEqual([]);
    // Otherwise a new node would be created for the pod, and another one to replace this node.
    expect(told.map(({ candidate, message }) => [candidate.name, message])).toContainEqual([
      'c',
      "Can't replace with a cheaper node",
    ]);
  });
});

describe('an uninitialized node', () => {
  it('receives no pods that could stay', () => {
    const machines = [machine('a', { pods: residents(8, 'a') }), machine('b', { isInitialized: false })];
    const [message] = reportControllerErrors({ machines });
    expect(message).toContain('would schedule against uninitialized nodeclaim/claim-b, node/b');
  });
});

describe('the policy Balanced', () => {
  const pools = [disruptedPool('default', { disruption: { consolidationPolicy: 'Balanced' } })];

  it('approves savings of at least half the disruption, in shares of the pool', () => {
    const machines = [machine('a', { pods: residents(1, 'a') }), machine('b', { pods: residents(5, 'b') })];
    const { commands } = search({ machines, pools });
    expect(commands).toMatchObject([{ scores: [{ isApproved: true, policy: 'Balanced' }] }]);
    // Half of the cost for 2 of 8 parts of the reschedule cost.
    expect(commands[0]?.scores[0]?.score).toBeCloseTo(2);
  });

  it('rejects small savings with much disruption', () => {
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

  it('are used by a replacement, which is pinned to them and needs no feature gate', () => {
    const machines = [machine('n', { capacityType: 'spot', pods: residents(3, 'n') })];
    const replacement = replacementOf({ machines, types: [reserved, large] });
    expect(capacityTypesOf(replacement)).toEqual(['reserved']);
    expect(replacement?.requirements).toContainEqual({ key: reservationId, operator: 'In', values: ['r-1'] });
  });

  it('are given to one command at a time', () => {
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

describe('unmanaged nodes', () => {
  it('receive pods', () => {
    const machines = [machine('a', { pods: residents(2, 'a') })];
    const { node } = machine('other', { labels: { 'karpenter.sh/nodepool': '' } });
    const { 'karpenter.sh/nodepool': _, ...labels } = node.metadata.labels ?? {};
    const unmanaged = { ...node, metadata: { ...node.metadata, labels } };
    expect(texts({ machines, nodes: [unmanaged] })).toEqual(['delete: [a]']);
  });
});

describe('without a ready NodePool', () => {
  it('simulation throws an error', () => {
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
