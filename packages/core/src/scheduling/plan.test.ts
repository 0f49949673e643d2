import {
  instanceType,
  node,
  type PodParts,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
} from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan, planSteps } from './plan.ts';
import type { Plan } from './plan-result.ts';
import type { PodView, Snapshot } from './snapshot.ts';

const small = instanceType('small', { price: 1, cpu: '2', memory: '8Gi' });
const large = instanceType('large', { price: 3.5, cpu: '8', memory: '32Gi' });

const planned = (parts: Parameters<typeof snapshot>[0]) => plan(snapshot(parts), planOptions);
const price = ({ newNodes }: Plan) => newNodes.reduce((sum, { price: each }) => sum + each, 0);
const followsX = {
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } },
    ],
  },
};
const messages = ({ rejections }: Plan) => rejections.map(({ message }) => message);

describe('new nodes', () => {
  it('use the offering with the lowest price for the pods', () => {
    const result = planned({ pods: pods(2, 'p'), types: [large, small] });
    expect(result.newNodes).toMatchObject([
      { instanceTypes: ['small', 'large'], price: 1, pods: ['p-0', 'p-1'] },
    ]);
  });

  it('are large if one large node costs less than many small ones', () => {
    const result = planned({ pods: pods(8, 'p'), types: [small, large] });
    expect(result.newNodes).toMatchObject([{ instanceTypes: ['large'], price: 3.5 }]);
  });

  it('take the cheaper spot offering if the pod does not require another capacity type', () => {
    const both = instanceType('both', { price: 1, capacityTypes: ['on-demand', 'spot'], spotPrice: 0.3 });
    const onDemand = { 'karpenter.sh/capacity-type': 'on-demand' };
    expect(price(planned({ pods: [pod('p')], types: [both] }))).toBe(0.3);
    expect(price(planned({ pods: [pod('p', { nodeSelector: onDemand })], types: [both] }))).toBe(1);
  });

  it('use cheap offerings although one pod cannot use them', () => {
    const both = instanceType('both', { price: 1, capacityTypes: ['on-demand', 'spot'], spotPrice: 0.1 });
    const picky = pod('picky', { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } });
    expect(price(planned({ pods: [...pods(12, 'p'), picky], types: [both] }))).toBeLessThan(1.5);
  });

  it('never use an offering that is not available', () => {
    const type = instanceType('t', { price: 1, unavailable: ['a/on-demand', 'b/on-demand'] });
    const [made] = planned({ pods: [pod('p')], types: [type] }).newNodes;
    expect(made?.instanceTypes).toEqual(['t']);
    const inA = pod('p', { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } });
    expect(planned({ pods: [inA], types: [type] }).rejections).toHaveLength(1);
  });

  it('have the requirements of pool and pods, and the requests of pods and daemons', () => {
    const result = planned({
      pods: [pod('p', { nodeSelector: { 'topology.kubernetes.io/zone': 'b' } })],
      daemonPods: [pod('daemon', { cpu: '100m', memory: '128Mi' })],
      types: [small],
    });
    expect(result.newNodes[0]).toMatchObject({
      nodePool: 'default',
      requests: { cpu: '1100m', memory: '1152Mi', pods: '2' },
      requirements: expect.arrayContaining([
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] },
      ]),
    });
    expect(result.newNodes[0]?.requirements.map(({ key }) => key)).not.toContain('kubernetes.io/hostname');
  });

  it('leave room for the daemons that will run on them', () => {
    const daemon = pod('daemon', { cpu: '1500m' });
    const result = planned({ pods: [pod('p')], daemonPods: [daemon], types: [small, large] });
    expect(result.newNodes).toMatchObject([{ instanceTypes: ['large'] }]);
  });

  it('come from the pool with the most weight that works, whatever they cost', () => {
    const pools = [
      pool('cheap', {
        weight: 1,
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['small'] }],
      }),
      pool('heavy', {
        weight: 9,
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['large'] }],
      }),
    ];
    expect(planned({ pods: [pod('p')], pools, types: [small, large] }).newNodes).toMatchObject([
      { nodePool: 'heavy' },
    ]);
  });

  it('come from the pool with the later name when weights are equal', () => {
    const result = planned({ pods: [pod('p')], pools: [pool('a'), pool('b')], types: [small] });
    expect(result.newNodes).toMatchObject([{ nodePool: 'b' }]);
  });

  it('come from a pool with less weight if the pod does not tolerate a taint of the other', () => {
    const pools = [
      pool('tainted', { weight: 9, taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      pool('plain'),
    ];
    expect(planned({ pods: [pod('p')], pools, types: [small] }).newNodes).toMatchObject([
      { nodePool: 'plain' },
    ]);
  });

  it('are never created by static pools', () => {
    const result = planned({ pods: [pod('p')], pools: [pool('static', { replicas: 3 })], types: [small] });
    expect(result).toMatchObject({ newNodes: [], rejections: [{ pod: 'p' }] });
  });

  it('stay within the limits of the pool', () => {
    const result = planned({
      pods: pods(8, 'p'),
      pools: [pool('default', { limits: { cpu: '4' } })],
      types: [small],
    });
    expect(result.newNodes).toHaveLength(2);
    expect(messages(result)).toEqual(
      Array(4).fill('all available instance types exceed limits for nodepool (NodePool=default)'),
    );
  });

  it('separate pods that use the same host port', () => {
    expect(
      planned({ pods: pods(3, 'p', { cpu: '100m', ports: [8080] }), types: [large] }).newNodes,
    ).toHaveLength(3);
  });

  it('separate pods that require different values of a custom label', () => {
    const pools = [pool('default', { requirements: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] })];
    const both = ['a', 'b'].map((team) => pod(team, { cpu: '100m', nodeSelector: { team } }));
    expect(planned({ pods: both, pools, types: [large] }).newNodes).toHaveLength(2);
  });

  it('name at most the 600 cheapest instance types', () => {
    const types = Array.from({ length: 620 }, (_, index) =>
      instanceType(`t${index}`, { price: 700 - index, zones: ['a'] }),
    );
    const [made] = planned({ pods: [pod('p')], types }).newNodes;
    expect(made?.instanceTypes).toHaveLength(600);
    expect(made?.instanceTypes[0]).toBe('t619');
  });

  it('name only capacity types with an available offering', () => {
    const both = instanceType('both', {
      price: 1,
      capacityTypes: ['on-demand', 'spot'],
      unavailable: ['a/spot', 'b/spot', 'c/spot'],
    });
    const [made] = planned({ pods: [pod('p')], types: [both] }).newNodes;
    expect(made?.requirements).toContainEqual({
      key: 'karpenter.sh/capacity-type',
      operator: 'In',
      values: ['on-demand'],
    });
  });

  it('need no value of a label that pods only exclude', () => {
    const matchExpressions = [
      { key: 'team', operator: 'NotIn', values: ['a'] },
      { key: 'rack', operator: 'DoesNotExist' },
    ];
    const excluding = pod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
        },
      },
    });
    expect(planned({ pods: [excluding], types: [small] }).newNodes).toHaveLength(1);
  });

  it('have the extended resources that pods request', () => {
    const gpu = instanceType('gpu', { price: 9, extra: { 'nvidia.com/gpu': '1' } });
    const result = planned({ pods: [pod('p', { extra: { 'nvidia.com/gpu': '1' } })], types: [small, gpu] });
    expect(result.newNodes).toMatchObject([{ instanceTypes: ['gpu'] }]);
  });
});

describe('existing nodes', () => {
  it('that are about to go take the pods that fit on no other', () => {
    const nodes = [{ ...node('a'), isLeaving: true }, node('b'), node('c', { initialized: false })];
    const { placements } = planned({ pods: pods(9, 'p'), nodes, types: [small] });
    expect(placements.map((each) => [each.node, each.pods.length])).toEqual([
      ['b', 4],
      ['c', 4],
      ['a', 1],
    ]);
  });

  it('are filled before new ones are created, initialized ones first, then by name', () => {
    const nodes = [node('b'), node('c'), node('a', { initialized: false })];
    const result = planned({ pods: pods(5, 'p', { cpu: '2' }), nodes, types: [small] });
    expect(result.placements).toEqual([
      { node: 'b', pods: ['p-0', 'p-1'] },
      { node: 'c', pods: ['p-2', 'p-3'] },
      { node: 'a', pods: ['p-4'] },
    ]);
    expect(result.newNodes).toEqual([]);
  });

  it('take no pods while they are deleting', () => {
    expect(
      planned({ pods: [pod('p')], nodes: [node('n', { deleting: true })], types: [small] }).placements,
    ).toEqual([]);
  });

  it('take no pods that require a label they lack, even a well-known one', () => {
    const inB = pod('p', { nodeSelector: { 'topology.kubernetes.io/zone': 'b' } });
    expect(planned({ pods: [inB], nodes: [node('n')], types: [small] }).placements).toEqual([]);
  });

  it('take no pods if they are overcommitted', () => {
    const over = node('n', { podRequests: { memory: '20Gi' } });
    expect(planned({ pods: [pod('p', { memory: '0' })], nodes: [over], types: [small] }).placements).toEqual(
      [],
    );
  });

  it('take pods that request zero of a resource they lack', () => {
    const wanting = pod('p', { extra: { 'nvidia.com/gpu': '0' } });
    expect(planned({ pods: [wanting], nodes: [node('n')], types: [small] }).placements).toHaveLength(1);
  });

  it('take no pods that do not tolerate their taints of any effect', () => {
    for (const effect of ['NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const) {
      const nodes = [node('n', { taints: [{ key: 'x', effect }] })];
      expect(planned({ pods: [pod('p')], nodes, types: [small] }).placements, effect).toEqual([]);
    }
  });

  it('keep room for daemons that do not run there yet', () => {
    const daemon = pod('daemon', { cpu: '3500m' });
    expect(
      planned({ pods: [pod('p')], nodes: [node('n')], daemonPods: [daemon], types: [large] }).placements,
    ).toEqual([]);
  });
});

describe('preferences', () => {
  const prefersZone = {
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: {
              matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['nowhere'] }],
            },
          },
        ],
      },
    },
  };

  it('are relaxed one by one until the pod has a place', () => {
    expect(planned({ pods: [pod('p', prefersZone)], types: [small] }).newNodes).toHaveLength(1);
  });

  it('are relaxed after the alternative required terms', () => {
    const term = (zone: string) => ({
      matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
    });
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('nowhere'), term('b')] },
      },
    };
    const [made] = planned({ pods: [pod('p', { affinity })], types: [small] }).newNodes;
    expect(made?.requirements).toContainEqual({
      key: 'topology.kubernetes.io/zone',
      operator: 'In',
      values: ['b'],
    });
  });

  it('are ignored with the policy Ignore', () => {
    const spread = [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { app: 'x' } },
      },
    ];
    const apart = pods(4, 'p', { cpu: '100m', labels: { app: 'x' }, topologySpreadConstraints: spread });
    const given = snapshot({ pods: apart, types: [large] });
    expect(plan(given, planOptions).newNodes).toHaveLength(4);
    expect(plan(given, { ...planOptions, preferencePolicy: 'Ignore' }).newNodes).toHaveLength(1);
  });

  it('are relaxed before the pod tolerates PreferNoSchedule taints', () => {
    const pools = [pool('default', { taints: [{ key: 'busy', effect: 'PreferNoSchedule' }] })];
    expect(planned({ pods: [pod('p')], pools, types: [small] }).newNodes).toHaveLength(1);
  });
});

describe('a plan', () => {
  const crowd: Snapshot = snapshot({
    pods: [...pods(20, 'a'), ...pods(3, 'huge', { cpu: '1000' }), ...pods(7, 'b', { cpu: '300m' })],
    nodes: [node('n')],
    types: [small, large],
  });

  it('names every pod exactly once', () => {
    const { placements, newNodes, rejections } = plan(crowd, planOptions);
    const named = [...placements, ...newNodes]
      .flatMap(({ pods: uids }) => uids)
      .concat(rejections.map(({ pod: uid }) => uid));
    expect(named.sort()).toEqual(crowd.pods.map(({ metadata }) => metadata.uid).sort());
  });

  it('is the same for the same snapshot', () => {
    expect(plan(crowd, planOptions)).toEqual(plan(structuredClone(crowd), planOptions));
  });

  it('carries the revision of its snapshot', () => {
    expect(plan({ ...crowd, revision: 42 }, planOptions).revision).toBe(42);
  });

  it('is the same when it is made in steps', () => {
    const steps = planSteps(crowd, planOptions);
    let slices = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) slices++;
    expect(slices).toBeGreaterThan(1);
    expect(step.value).toEqual(plan(crowd, planOptions));
  });

  it('is empty for an empty snapshot', () => {
    expect(planned({})).toEqual({
      revision: 1,
      placements: [],
      deferred: [],
      newNodes: [],
      rejections: [],
      unevaluated: [],
    });
  });
});

describe('minValues', () => {
  const families = ['a', 'b', 'c'].map((family, index) =>
    instanceType(family, { price: 1 + index, cpu: String(2 ** (index + 1)), labels: { family } }),
  );
  const varied = (minValues: number) => [
    pool('default', { requirements: [{ key: 'family', operator: 'Exists', minValues }] }),
  ];

  it('keep nodes small enough for the required number of types', () => {
    const { newNodes } = planned({ pods: pods(4, 'p', { cpu: '2' }), pools: varied(2), types: families });
    expect(newNodes.map(({ instanceTypes }) => instanceTypes.length >= 2)).not.toContain(false);
  });

  it('reject a pod that too few types can hold', () => {
    const { rejections } = planned({ pods: [pod('p', { cpu: '6' })], pools: varied(2), types: families });
    expect(rejections[0]?.message).toMatch(
      /^minValues requirement is not met for label\(s\) \(label\(s\)=\[family\]\), /,
    );
  });

  it('are lowered to what is available with the policy BestEffort', () => {
    const given = snapshot({ pods: [pod('p', { cpu: '6' })], pools: varied(2), types: families });
    const [made] = plan(given, { ...planOptions, minValuesPolicy: 'BestEffort' }).newNodes;
    expect(made?.requirements).toContainEqual({ key: 'family', operator: 'Exists', minValues: 1 });
  });

  it('are lowered for pods that share a host too', () => {
    const companions = { labels: { app: 'x' }, affinity: followsX };
    const given = snapshot({
      pods: [pod('first', { ...companions, cpu: '6' }), pod('second', companions)],
      pools: varied(2),
      types: families,
    });
    const { newNodes } = plan(given, { ...planOptions, minValuesPolicy: 'BestEffort' });
    expect(newNodes.map(({ pods: uids }) => uids)).toEqual([['first', 'second']]);
  });

  it('exclude a pool with too few types', () => {
    const { rejections } = planned({ pods: [pod('p')], pools: varied(4), types: families });
    expect(messages({ rejections } as Plan)).toEqual([
      'nodepool requirements filtered out all available instance types',
    ]);
  });
});

describe('limits', () => {
  it('that run out send the remaining pods to the next pool', () => {
    const pools = [pool('heavy', { weight: 9, limits: { cpu: '2' } }), pool('light')];
    const { newNodes, rejections } = planned({ pods: pods(6, 'p'), pools, types: [small] });
    expect(newNodes.map(({ nodePool }) => nodePool).sort()).toEqual(['heavy', 'light', 'light']);
    expect(rejections).toEqual([]);
  });

  it('count existing nodes of the pool except deleting ones', () => {
    const pools = [pool('default', { limits: { cpu: '6' } })];
    const full = { allocatable: { cpu: '4' }, podRequests: { cpu: '4' }, nodePool: 'default' };
    const there = planned({ pods: pods(4, 'p'), pools, types: [small], nodes: [node('n', full)] });
    expect(there.newNodes).toHaveLength(1);
    const leaving = planned({
      pods: pods(4, 'p'),
      pools,
      types: [small],
      nodes: [node('n', { ...full, deleting: true })],
    });
    expect(leaving.newNodes).toHaveLength(2);
  });
});

describe('a plan that is stopped', () => {
  const classes = [3, 2, 1].map((cpu) => pod(`cpu-${cpu}`, { cpu: String(cpu) }));
  const given = snapshot({ pods: classes, types: [large] });

  function stoppedAfter(steps: number, first: ReadonlySet<string> = new Set()): Plan {
    const run = planSteps(given, { ...planOptions, first });
    let step = run.next();
    for (let i = 0; i < steps; i++) step = run.next();
    while (!step.done) step = run.next('stop');
    return step.value;
  }

  it('keeps what is decided and lists the unevaluated pods', () => {
    const stopped = stoppedAfter(1);
    expect(stopped.newNodes.flatMap((made) => made.pods)).toEqual(['cpu-3']);
    expect(stopped.unevaluated).toEqual(['cpu-2', 'cpu-1']);
    expect(stopped.rejections).toEqual([]);
  });

  it('accounts for every pod wherever it is stopped, also during packing', () => {
    const many = [5, 3, 2, 1].flatMap((cpu) =>
      Array.from({ length: 40 }, (_, i) => pod(`cpu-${cpu}-${i}`, { cpu: String(cpu) })),
    );
    const partly = new Set<boolean>();
    for (let steps = 0, done = false; !done; steps++) {
      const run = planSteps(snapshot({ pods: many, types: [small, large] }), planOptions);
      let step = run.next();
      for (let i = 0; i < steps && !step.done; i++) step = run.next();
      done = step.done === true;
      while (!step.done) step = run.next('stop');
      const { newNodes, unevaluated, rejections } = step.value;
      const placed = newNodes.flatMap(({ pods }) => pods);
      expect(rejections.map(({ pod: uid }) => uid).filter((uid) => !uid.startsWith('cpu-5'))).toEqual([]);
      expect([...placed, ...unevaluated, ...rejections.map(({ pod: uid }) => uid)].sort()).toEqual(
        many.map(({ metadata }) => metadata.uid).sort(),
      );
      partly.add(placed.length > 0 && unevaluated.length > 0);
    }
    expect(partly).toContain(true);
  });

  it('leads to a plan that places the unevaluated pods first', () => {
    const next = stoppedAfter(1, new Set(stoppedAfter(1).unevaluated));
    expect(next.newNodes.flatMap((made) => made.pods)).toEqual(['cpu-2']);
  });
});

describe('virtual pods', () => {
  const virtual = (name: string, parts: PodParts): PodView => {
    const made = pod(name, parts);
    const annotations = { 'karpenter.sh/capacity-buffer-fake-pod': 'true' };
    return { ...made, metadata: { ...made.metadata, annotations } };
  };
  const nodes = [node('n', { allocatable: { cpu: '4', memory: '16Gi', pods: '10' } })];

  it('leave room for a real pod that must follow a smaller one', () => {
    const given = {
      pods: [
        pod('large', { cpu: '3', affinity: followsX }),
        pod('small', { cpu: '500m', labels: { app: 'x' } }),
        virtual('room', { cpu: '2' }),
      ],
      nodes,
      types: [],
    };
    const { placements, rejections } = planned(given);
    expect(placements).toEqual([{ node: 'n', pods: ['small', 'large'] }]);
    expect(rejections.map((each) => each.pod)).toEqual(['room']);
  });

  it('attract no real pods by affinity', () => {
    const given = {
      pods: [virtual('room', { labels: { app: 'x' } }), pod('follower', { affinity: followsX })],
      nodes,
      types: [],
    };
    expect(planned(given).rejections.map((each) => each.pod)).toEqual(['follower']);
  });
});
