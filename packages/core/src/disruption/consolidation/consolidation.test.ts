import { boundPod, pendingPod } from '@karpenter/testkit/cluster-objects';
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

/** A pool whose nodes are never replaced by several others. */
const separate = disruptedPool('default', { annotations: { 'karpenter-ts/regrouping': 'false' } });

function search(parts: Partial<ClusterParts>, options?: ConsolidationOptions) {
  const snapshot = disruptableCluster({ managedNodes: [], types: onDemandOnly, ...parts });
  return searchedConsolidations(
    consolidationSituation(snapshot, { reservationIdLabel: reservationId, ...options }),
  );
}

const texts = (...args: Parameters<typeof search>) =>
  search(...args).commands.map(({ command }) => shortCommandText(command));
const reportControllerErrors = (...args: Parameters<typeof search>) =>
  search(...args).unconsolidatable.map(({ message }) => message);
const replacementOf = (...args: Parameters<typeof search>) =>
  search(...args).commands.flatMap(({ command }) => command.replacements.filter(isPlanned))[0];
const capacityTypesOf = (replacement: ReturnType<typeof replacementOf>) =>
  replacement?.requirements.find(({ key }) => key === 'karpenter.sh/capacity-type')?.values;

describe('consolidation', () => {
  it('deletes a node whose pods fit on others', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(2, 'a') }),
      managedNode('b', { pods: runningPods(6, 'b') }),
    ];
    expect(texts({ managedNodes })).toEqual(['delete: [a]']);
  });

  it('replaces a node with a cheaper one that fits its pods', () => {
    const managedNodes = [managedNode('a', { pods: runningPods(3, 'a') })];
    const [found] = search({ managedNodes }).commands;
    expect(found?.command.replacements).toMatchObject([{ instanceTypes: ['medium'], nodePool: 'default' }]);
    expect(found?.command.savings).toBeCloseTo(0.2);
  });

  it('replaces a node with one cheaper node, even if two would cost less, when its pool forbids regrouping', () => {
    const managedNodes = [managedNode('a', { pods: runningPods(5, 'a', { memory: '100Mi' }) })];
    const steep = [
      instanceType('two', { cpu: '2', price: 0.05 }),
      instanceType('four', { cpu: '4', price: 0.1 }),
      instanceType('six', { cpu: '6', price: 0.3 }),
      instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
    ];
    const [found] = search({ managedNodes, types: steep, pools: [separate] }).commands;
    expect(found?.command.replacements).toMatchObject([{ instanceTypes: ['six'] }]);
  });

  it('removes several nodes in one search, each as if the earlier ones were gone', () => {
    const managedNodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      managedNode(name, { pods: runningPods(2, name) }),
    );
    const { commands } = search({ managedNodes });
    expect(commands.map(({ command }) => command.candidates.length)).toEqual([1, 1, 1, 1]);
  });

  it('never moves pods to a node that is removed too', () => {
    const managedNodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      managedNode(name, { pods: runningPods(3, name) }),
    );
    const { commands } = search({ managedNodes });
    const going = new Set(commands.flatMap(({ command }) => command.candidates.map(({ name }) => name)));
    const receiving = commands.flatMap(({ command }) => command.destinations.map(({ node }) => node));
    expect(receiving.filter((name) => going.has(name))).toEqual([]);
    expect(going.size).toBeGreaterThan(1);
  });

  it('deletes a node that was a destination when all pods fit elsewhere', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(1, 'a') }),
      managedNode('b', { type: 'small', cpu: '2', pods: runningPods(1, 'b', { priority: 2 ** 26 }) }),
      managedNode('c', { pods: runningPods(5, 'c', { priority: 2 ** 27 }) }),
    ];
    const { commands } = search({ managedNodes });
    expect(commands.map(({ command }) => shortCommandText(command))).toEqual(['delete: [a]', 'delete: [b]']);
    const moves = commands.flatMap(({ command }) =>
      command.destinations.map(({ node, pods }) => [node, ...pods.map(({ metadata }) => metadata.name)]),
    );
    expect(moves).toEqual([['c', 'a-0', 'b-0']]);
  });

  it('does not replace a node that is a destination, because moved pods cannot wait there for the replacement', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(1, 'a') }),
      managedNode('b', { pods: runningPods(2, 'b', { priority: 2 ** 26 }) }),
    ];
    expect(texts({ managedNodes, pools: [separate] })).toEqual(['delete: [a]']);
  });

  it('replaces several nodes with one that is cheaper than all of them', () => {
    const managedNodes = ['a', 'b', 'c'].map((name) =>
      managedNode(name, { type: 'medium', cpu: '4', pods: runningPods(1, name, { cpu: '2500m' }) }),
    );
    expect(
      texts({ managedNodes, types: [onDemandOnly[1], onDemandOnly[2]].flatMap((type) => type ?? []) }),
    ).toEqual(['replace: [a, b, c] -> [1 replacement]']);
  });

  it('replaces nodes of one zone with one node when their pods must stay in the zone', () => {
    const zonal = (name: string, zone: string) =>
      managedNode(name, {
        zone,
        type: 'medium',
        cpu: '4',
        pods: runningPods(1, name, {
          cpu: '2500m',
          nodeSelector: { 'topology.kubernetes.io/zone': zone },
        }),
      });
    const zones = ['a', 'b'];
    const sold = ['medium', 'large'].map((name, index) =>
      instanceType(name, { cpu: String(4 + 4 * index), memory: '64Gi', price: 0.2 + 0.1 * index, zones }),
    );
    const managedNodes = ['a', 'b', 'c', 'd'].map((name, index) => zonal(name, zones[index % 2] ?? ''));
    expect(texts({ managedNodes, types: sold })).toEqual([
      'replace: [a, c] -> [1 replacement]',
      'replace: [b, d] -> [1 replacement]',
    ]);
  });

  it('takes the replacement with the largest savings first, whatever the order of candidates', () => {
    const teams = ['x', 'y'].map((team) => disruptedPool(team, { labels: { team } }));
    const labelled = (name: string, team: string, parts: Parameters<typeof managedNode>[1]) =>
      managedNode(name, {
        pool: team,
        labels: { team },
        ...parts,
        pods: parts?.pods?.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeSelector: { team } } })) ?? [],
      });
    const managedNodes = [
      labelled('a', 'x', { type: 'medium', cpu: '4', pods: runningPods(1, 'a') }),
      labelled('b', 'y', { pods: runningPods(15, 'b', { cpu: '100m', memory: '100Mi' }) }),
    ];
    const { commands } = search({ managedNodes, pools: teams });
    expect(commands.map(({ command }) => command.candidates.map(({ name }) => name))).toEqual([['b'], ['a']]);
  });

  it('stays within budgets', () => {
    const managedNodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      managedNode(name, { pods: runningPods(1, name) }),
    );
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(
      search({ managedNodes, pools }).commands.flatMap(({ command }) => command.candidates),
    ).toHaveLength(2);
  });

  it('evaluates every candidate', () => {
    const managedNodes = ['a', 'b', 'c', 'd'].map((name) =>
      managedNode(name, { pods: runningPods(8, name) }),
    );
    const { eligible, evaluated, commands } = search({ managedNodes });
    expect({ eligible: eligible.length, evaluated, commands }).toEqual({
      eligible: 4,
      evaluated: 4,
      commands: [],
    });
  });
});

describe('a node is not consolidated, with a message,', () => {
  const busy = { pods: runningPods(8, 'n') };

  it('when nothing cheaper fits its pods', () => {
    expect(reportControllerErrors({ managedNodes: [managedNode('n', busy)] })).toEqual([
      "Can't replace with a cheaper node",
    ]);
  });

  it('when its pods would not all schedule', () => {
    const pods = runningPods(6, 'n', { nodeSelector: { never: 'here' } });
    const [message] = reportControllerErrors({ managedNodes: [managedNode('n', { pods })] });
    expect(message).toMatch(/^Not all pods would schedule, default\/n-\d => .* default\/n-\d => /);
    expect(message).toMatch(/ {2}and 1 other\(s\)$/);
  });

  it('when more than one new node would be needed and its pool forbids regrouping', () => {
    const pods = [
      boundPod('x', 'n', { owner: 'ReplicaSet/x', nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }),
      boundPod('y', 'n', { owner: 'ReplicaSet/y', nodeSelector: { 'topology.kubernetes.io/zone': 'b' } }),
    ];
    const managedNodes = [managedNode('n', { pods })];
    expect(reportControllerErrors({ managedNodes, pools: [separate] })).toEqual([
      "Can't remove without creating 2 candidates",
    ]);
  });

  it('when its instance type, capacity type or zone is unknown', () => {
    expect(reportControllerErrors({ managedNodes: [managedNode('n', { ...busy, type: 'odd' })] })).toEqual([
      'Instance Type "odd" not found',
    ]);
    const without = (label: string) => {
      const made = managedNode('n', busy);
      const { [label]: _, ...labels } = made.node.metadata.labels ?? {};
      return { ...made, node: { ...made.node, metadata: { ...made.node.metadata, labels } } };
    };
    for (const label of ['karpenter.sh/capacity-type', 'topology.kubernetes.io/zone'])
      expect(reportControllerErrors({ managedNodes: [without(label)] })).toEqual([
        `Node does not have label "${label}"`,
      ]);
  });

  it('when its NodePool disables consolidation or allows it only for empty nodes', () => {
    const messagesOf = (disruption: NonNullable<Parameters<typeof disruptedPool>[1]>['disruption'] = {}) =>
      reportControllerErrors({
        managedNodes: [managedNode('n', busy)],
        pools: [disruptedPool('default', { disruption })],
      });
    expect(messagesOf({ consolidateAfter: 'Never' })).toEqual([
      'NodePool "default" has consolidation disabled',
    ]);
    expect(messagesOf({ consolidationPolicy: 'WhenEmpty' })).toEqual([
      'NodePool "default" has consolidation policy WhenEmpty, but node is not empty',
    ]);
  });

  it('but without one when its NodePool is static, or the node is empty or not Consolidatable', () => {
    const isStatic = [disruptedPool('default', { replicas: 1 })];
    expect(search({ managedNodes: [managedNode('n', busy)], pools: isStatic })).toMatchObject({
      unconsolidatable: [],
      eligible: [],
    });
    expect(search({ managedNodes: [managedNode('n')] })).toMatchObject({
      unconsolidatable: [],
      eligible: [],
    });
    const made = managedNode('n', busy);
    const conditions =
      made.nodeClaim.status?.conditions?.filter(({ type }) => type !== 'Consolidatable') ?? [];
    const restless = {
      ...made,
      nodeClaim: { ...made.nodeClaim, status: { ...made.nodeClaim.status, conditions } },
    };
    expect(search({ managedNodes: [restless] })).toMatchObject({ unconsolidatable: [], eligible: [] });
  });
});

describe('the price of a replacement', () => {
  const three = { pods: runningPods(3, 'n') };

  it('is the most expensive offering that a launch may take', () => {
    const uneven = {
      ...medium,
      offerings: medium.offerings.map((offering, index) => ({ ...offering, price: index === 0 ? 0.5 : 0.1 })),
    };
    const types = [
      { ...uneven, offerings: uneven.offerings.filter((_, index) => index % 2 === 0) },
      onDemandOnly[2] ?? large,
    ];
    expect(texts({ managedNodes: [managedNode('n', three)], types })).toEqual([]);
  });

  it('pins a replacement that could be spot or on-demand to spot', () => {
    const replacement = replacementOf({
      managedNodes: [managedNode('n', three)],
      types: [small, medium, large],
    });
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('never allows replacing a node whose own price is unknown', () => {
    expect(texts({ managedNodes: [managedNode('n', { ...three, zone: 'z' })] })).toEqual([]);
  });

  it('keeps the node when the cheaper types do not satisfy minValues', () => {
    const requirements = [
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 },
    ];
    const pools = [disruptedPool('default', { requirements })];
    expect(reportControllerErrors({ managedNodes: [managedNode('n', three)], pools })).toEqual([
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
  const spotNode = managedNode('n', { capacityType: 'spot', pods: runningPods(3, 'n') });

  it('does nothing while the feature gate is off', () => {
    expect(reportControllerErrors({ managedNodes: [spotNode], types: [...cheap(20), large] })).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ]);
  });

  it('needs 15 cheaper types for a single node', () => {
    expect(
      reportControllerErrors(
        { managedNodes: [spotNode], types: [...cheap(14), large] },
        { allowsSpotToSpot: true },
      ),
    ).toEqual([
      'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 14',
    ]);
  });

  it('limits a single node to the 15 cheapest types, so that the next pass finds nothing', () => {
    const replacement = replacementOf(
      { managedNodes: [spotNode], types: [...cheap(20), large] },
      { allowsSpotToSpot: true },
    );
    expect(replacement?.instanceTypes).toHaveLength(15);
    expect(replacement?.instanceTypes[0]).toBe('s00');
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });

  it('needs no 15 types for several nodes', () => {
    const managedNodes = ['a', 'b', 'c'].map((name) =>
      managedNode(name, {
        type: 'medium',
        cpu: '4',
        capacityType: 'spot',
        pods: runningPods(1, name, { cpu: '2500m' }),
      }),
    );
    expect(texts({ managedNodes, types: [medium, large] }, { allowsSpotToSpot: true })).toEqual([
      'replace: [a, b, c] -> [1 replacement]',
    ]);
  });

  it('does not apply to a mix with on-demand nodes', () => {
    const managedNodes = ['a', 'b', 'c'].map((name, index) =>
      managedNode(name, {
        type: 'medium',
        cpu: '4',
        capacityType: index === 0 ? 'on-demand' : 'spot',
        pods: runningPods(1, name, { cpu: '2500m' }),
      }),
    );
    const replacement = replacementOf({ managedNodes, types: [medium, large] });
    expect(replacement?.instanceTypes).toEqual(['large']);
    expect(capacityTypesOf(replacement)).toEqual(['spot']);
  });
});

describe('a replacement for several nodes', () => {
  it('has no type of a candidate unless it is cheaper than the cheapest such candidate', () => {
    const managedNodes = ['a', 'b'].map((name) =>
      managedNode(name, { cpu: '4', pods: runningPods(1, name, { cpu: '2500m' }) }),
    );
    expect(texts({ managedNodes, types: [onDemandOnly[2] ?? large] })).toEqual([]);
    expect(reportControllerErrors({ managedNodes, types: [onDemandOnly[2] ?? large] })).toEqual([
      "Can't replace with a cheaper node",
      "Can't replace with a cheaper node",
    ]);
    const cheaper = instanceType('other', { cpu: '8', memory: '64Gi', price: 0.39 });
    expect(texts({ managedNodes, types: [onDemandOnly[2] ?? large, cheaper] })).toEqual([
      'replace: [a, b] -> [1 replacement]',
    ]);
  });
});

describe('pending pods', () => {
  it('do not keep a node when they are unschedulable anyway', () => {
    const pods = [pendingPod('w', { nodeSelector: { never: 'here' } })];
    const managedNodes = [
      managedNode('a', { pods: runningPods(2, 'a') }),
      managedNode('b', { pods: runningPods(6, 'b') }),
    ];
    expect(texts({ managedNodes, pods })).toEqual(['delete: [a]']);
  });

  it('keep all nodes while several new ones are needed for them', () => {
    const pods = ['a', 'b'].map((zone) =>
      pendingPod(zone, { cpu: '7', nodeSelector: { 'topology.kubernetes.io/zone': zone } }),
    );
    const managedNodes = ['a', 'b', 'c'].map((name) => managedNode(name, { pods: runningPods(2, name) }));
    const { commands, unconsolidatable } = search({ managedNodes, pods });
    expect(commands).toEqual([]);
    expect(new Set(unconsolidatable.map(({ message }) => message))).toEqual(
      new Set(["Can't remove without creating 2 candidates"]),
    );
  });

  it('take the room that other pods would have moved to', () => {
    const pods = [pendingPod('w', { cpu: '2' })];
    const managedNodes = [
      managedNode('a', { pods: runningPods(8, 'a') }),
      managedNode('b', { pods: runningPods(6, 'b') }),
    ];
    expect(texts({ managedNodes, pods })).toEqual([]);
  });
});

describe('a node within consolidateAfter of its last pod event', () => {
  const pools = [disruptedPool('default', { disruption: { consolidateAfter: '1h' } })];
  const quiet = managedNode('a', { pods: runningPods(2, 'a') });
  const busy = managedNode('b', { pods: runningPods(6, 'b'), lastPodEventTime: '2026-01-09T23:30:00Z' });

  it('receives no pods that could stay where they are', () => {
    expect(texts({ managedNodes: [quiet, busy], pools })).not.toContain('delete: [a]');
  });

  it('receives pending pods', () => {
    const other = managedNode('c', { pods: runningPods(8, 'c') });
    const { commands, unconsolidatable } = search({
      managedNodes: [other, busy],
      pools,
      pods: [pendingPod('w')],
    });
    expect(commands).toEqual([]);
    // Otherwise a new node would be created for the pod, and another one to replace this node.
    expect(unconsolidatable.map(({ candidate, message }) => [candidate.name, message])).toContainEqual([
      'c',
      "Can't replace with a cheaper node",
    ]);
  });
});

describe('an uninitialized node', () => {
  it('receives no pods that could stay', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(8, 'a') }),
      managedNode('b', { isInitialized: false }),
    ];
    const [message] = reportControllerErrors({ managedNodes });
    expect(message).toContain('would schedule against uninitialized nodeclaim/claim-b, node/b');
  });
});

describe('the policy Balanced', () => {
  const pools = [disruptedPool('default', { disruption: { consolidationPolicy: 'Balanced' } })];

  it('approves savings of at least half the disruption, in shares of the pool', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(1, 'a') }),
      managedNode('b', { pods: runningPods(5, 'b') }),
    ];
    const annotations = { 'karpenter-ts/regrouping': 'false' };
    const disruption = { consolidationPolicy: 'Balanced' } as const;
    const { commands } = search({
      managedNodes,
      pools: [disruptedPool('default', { disruption, annotations })],
    });
    expect(commands).toMatchObject([{ scores: [{ isApproved: true, policy: 'Balanced' }] }]);
    // Half of the cost for 2 of 8 parts of the reschedule cost.
    expect(commands[0]?.scores[0]?.score).toBeCloseTo(2);
  });

  it('scores the replacement of nodes by several others like any other command', () => {
    const managedNodes = [
      managedNode('a', { pods: runningPods(1, 'a') }),
      managedNode('b', { pods: runningPods(5, 'b') }),
    ];
    const { commands } = search({ managedNodes, pools });
    expect(commands.map(({ command }) => shortCommandText(command))).toEqual([
      'replace: [a, b] -> [2 replacements]',
    ]);
    // 0.5 of 0.8 dollars for the whole reschedule cost of the pool.
    expect(commands[0]?.scores[0]?.score).toBeCloseTo(0.625);
  });

  it('rejects small savings with much disruption', () => {
    const managedNodes = [
      managedNode('a', { type: 'medium', cpu: '4', pods: runningPods(30, 'a', { cpu: '100m' }) }),
      ...['b', 'c', 'd', 'e'].map((name) => managedNode(name, { pods: runningPods(1, name, { cpu: '7' }) })),
    ];
    const { commands, refused } = search({ managedNodes, pools });
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
    const managedNodes = [managedNode('n', { capacityType: 'spot', pods: runningPods(3, 'n') })];
    const replacement = replacementOf({ managedNodes, types: [reserved, large] });
    expect(capacityTypesOf(replacement)).toEqual(['reserved']);
    expect(replacement?.requirements).toContainEqual({ key: reservationId, operator: 'In', values: ['r-1'] });
  });

  it('are given to one command at a time', () => {
    const teams = ['x', 'y'].map((team) => disruptedPool(team, { labels: { team } }));
    const managedNodes = ['x', 'y'].map((team) =>
      managedNode(team, {
        pool: team,
        labels: { team },
        pods: runningPods(3, team, { nodeSelector: { team } }),
      }),
    );
    const { commands } = search({ managedNodes, pools: teams, types: [reserved, large] });
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
    const managedNodes = [managedNode('a', { pods: runningPods(2, 'a') })];
    const { node } = managedNode('other', { labels: { 'karpenter.sh/nodepool': '' } });
    const { 'karpenter.sh/nodepool': _, ...labels } = node.metadata.labels ?? {};
    const unmanaged = { ...node, metadata: { ...node.metadata, labels } };
    expect(texts({ managedNodes, nodes: [unmanaged] })).toEqual(['delete: [a]']);
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
    const managedNodes = [managedNode('a', { pods: runningPods(2, 'a') })];
    expect(() => search({ managedNodes, pools: [disruptedPool('default', { conditions })] })).toThrow(
      expect.objectContaining({ code: 'no-usable-node-pool' }),
    );
  });
});
