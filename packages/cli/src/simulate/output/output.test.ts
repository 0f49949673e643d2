import type { InstanceType } from '@karpenter/core/ports';
import type { Plan, PlannedNode, PodView, Snapshot } from '@karpenter/core/scheduling';
import { describe, expect, it } from 'vitest';
import { type Findings, noFindings, type Simulated } from '../simulation.ts';
import { planTable } from './plan-table.ts';
import { planYaml } from './plan-yaml.ts';
import { podNames } from './pod-names.ts';
import { planDocument, summary } from './summary.ts';

const pod = (name: string, namespace = 'default'): PodView => ({
  metadata: { name, namespace, uid: `uid-${namespace}-${name}` },
  spec: { containers: [] },
});

const instanceType = (name: string, cpu: string, price: number): InstanceType => ({
  name,
  requirements: [],
  capacity: { cpu, memory: '8Gi' },
  overhead: { kubeReserved: { cpu: '1' }, evictionThreshold: { memory: '4Gi' } },
  offerings: ['on-demand', 'spot'].map((capacityType) => ({
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] }],
    price: capacityType === 'spot' ? price : 2 * price,
    available: true,
  })),
});

const types = [instanceType('c.large', '3', 0.1), instanceType('m.large', '5', 0.2)];

const nodePool = (name: string) => ({ metadata: { name } }) as Snapshot['nodePools'][number];

function snapshot(pods: readonly PodView[]): Snapshot {
  return {
    at: 0,
    revision: 0,
    nodePools: [nodePool('first'), nodePool('second')],
    instanceTypes: new Map([
      ['first', types],
      ['second', types],
    ]),
    nodes: [],
    pods,
    boundPods: [],
    daemonPods: [],
    namespaces: new Map(),
  };
}

function simulated(
  plan: Partial<Plan>,
  pods: readonly PodView[] = [],
  findings: Partial<Findings> = {},
): Simulated {
  return {
    kind: 'manifests',
    source: 'a.yaml',
    snapshot: snapshot(pods),
    options: {
      preferencePolicy: 'Respect',
      minValuesPolicy: 'Strict',
      wellKnownLabels: new Set(),
      labelAliases: new Map(),
    },
    findings: { ...noFindings, ...findings },
    plan: {
      revision: 0,
      placements: [],
      newNodes: [],
      rejections: [],
      deferred: [],
      unevaluated: [],
      ...plan,
    },
    seconds: 0.1234567,
  };
}

const newNode = (nodePool: string, type: string, price: number, pods: readonly string[]): PlannedNode => ({
  nodePool,
  requirements: [],
  instanceTypes: [type, 'another'],
  pods,
  requests: { cpu: '1', memory: '1Gi' },
  price,
  choice: {
    offering: { instanceType: type, capacityType: price < 0.3 ? 'spot' : 'on-demand', price },
    fill: { cpu: 0.5 },
    bindingResources: [],
    alternatives: [],
    narrowings: [],
    passedOver: [],
  },
});

describe('the summary of a plan', () => {
  it('sums prices without rounding errors', () => {
    const nodes = Array.from({ length: 3 }, () => newNode('first', 'c.large', 0.1, []));
    expect(summary(simulated({ newNodes: nodes })).hourlyPrice).toBe(0.3);
  });

  it('counts unevaluated pods as failed', () => {
    const { failed, errors } = summary(simulated({ unevaluated: ['uid-default-a'] }, [pod('a')]));
    expect({ failed, errors }).toEqual({
      failed: 1,
      errors: { a: 'not evaluated before planning was stopped' },
    });
  });
});

describe('names of pods', () => {
  it('include the namespace only if the plain name is not unique', () => {
    const names = podNames(simulated({}, [pod('a'), pod('a', 'shop'), pod('b', 'shop')]));
    expect([...names.values()]).toEqual(['default/a', 'shop/a', 'b']);
  });
});

describe('the table of a plan', () => {
  const placements = [{ node: 'n1', pods: ['uid-default-e'] }];
  const rejections = ['f', 'g', 'h', 'i', 'j'].map((name) => ({
    pod: `uid-default-${name}`,
    reasons: [],
    message:
      name === 'j' ? 'no room' : `did not tolerate taint (taint=a:NoSchedule); ${'and more '.repeat(12)}end`,
  }));
  const newNodes = [
    newNode('second', 'm.large', 0.2, ['uid-default-d']),
    newNode('first', 'c.large', 0.1, ['uid-default-a']),
    newNode('first', 'm.large', 0.4, ['uid-default-b']),
    newNode('first', 'c.large', 0.1, ['uid-default-c']),
  ];
  const pods = [...'abcdefghij'].map((name) => pod(name));
  const table = planTable(simulated({ placements, rejections, newNodes }, pods));

  it('groups new nodes by pool, type and price, with their utilization and totals', () => {
    expect(table).toContain(
      [
        'NODEPOOL  CHEAPEST TYPE  CAPACITY   NODES  $/H EACH  $/HOUR   CPU  MEMORY  PODS',
        'first     m.large        on-demand      1    0.4000  0.4000  25 %    25 %     1',
        'first     c.large        spot           2    0.1000  0.2000  50 %    25 %     2',
        'second    m.large        spot           1    0.2000  0.2000  25 %    25 %     1',
        'total                                   4            0.8000  33 %    25 %     4',
      ].join('\n'),
    );
  });

  it('begins with the totals of the plan', () => {
    expect(table.split('\n').slice(0, 2).join(' ')).toBe(
      'a.yaml: 10 pods, 5 placed (1 on existing nodes), 5 without a place; 4 new nodes for $0.80 an hour; planned in 0.123 s',
    );
  });

  it('lists existing nodes that take pods', () => {
    expect(table).toContain('EXISTING NODE  PODS\nn1                1');
  });

  it('groups rejected pods by reason, with examples', () => {
    expect(table).toContain('4 pods without a place: f, g, h and 1 more\n  did not tolerate taint');
    expect(table).toContain('1 pod without a place: j\n  no room\n');
  });

  it('explains the choice of the most expensive nodes', () => {
    const small = { instanceType: 'c.small', capacityType: 'spot', price: 0.05 };
    const next = { instanceType: 'r.large', capacityType: 'spot', price: 0.15 };
    const node = newNode('first', 'c.large', 0.1, ['uid-default-a']);
    const chosen: PlannedNode = {
      ...node,
      choice: {
        ...node.choice,
        tooSmall: small,
        bindingResources: ['memory'],
        alternatives: [next],
        narrowings: [
          { key: 'topology.kubernetes.io/zone', requirement: 'zone In [a]', by: ['topology spread'] },
          { key: 'kubernetes.io/arch', requirement: 'arch In [amd64]', by: ['nodepool'] },
        ],
        passedOver: [{ nodePool: 'heavy', message: 'did not tolerate taint (taint=a:NoSchedule)' }],
      },
    };
    const why = planTable(simulated({ newNodes: [chosen] }, [pod('a')]));
    expect(why.slice(why.indexOf('Why')).replaceAll(/\n */g, ' ')).toBe(
      'Why these nodes: first c.large spot: c.small spot at $0.0500 has too little memory; ' +
        'next is r.large spot at $0.1500 (+50 %); zone by topology spread; ' +
        'not nodepool heavy: did not tolerate taint (taint=a:NoSchedule) ',
    );
  });

  it('counts pods that wait for reserved capacity separately', () => {
    const waiting = planTable(simulated({ deferred: ['uid-default-a'] }, [pod('a')]));
    expect(waiting.replaceAll('\n', ' ')).toContain('1 pod, 0 placed, 1 waiting for reserved capacity;');
  });

  it('keeps within 100 columns', () => {
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('truncates long names to keep the columns aligned', () => {
    const name = 'a-node-pool-with-a-very-long-name';
    const line = planTable(
      simulated({ newNodes: [newNode(name, 'an-instance-type.with-a-long-name', 1, [])] }),
    );
    expect(line).toContain('a-node-pool-with-a-ve…  an-instance-type.wi…');
    expect(Math.max(...line.split('\n').map((each) => each.length))).toBeLessThanOrEqual(100);
  });
});

describe('the JSON of a plan', () => {
  const newNodes = [newNode('first', 'c.large', 0.1, ['uid-default-a'])];

  it('contains the nodes and why they were chosen', () => {
    expect(planDocument(simulated({ newNodes }, [pod('a')]))).toMatchObject({
      nodes: 1,
      newNodes: [{ nodePool: 'first', pods: ['a'], choice: { offering: { instanceType: 'c.large' } } }],
      deferred: [],
    });
  });

  it('of a scenario contains only what benchmarks compare', () => {
    const document = planDocument({ ...simulated({ newNodes }, [pod('a')]), kind: 'scenario' });
    expect(Object.keys(document)).toEqual([
      'pods',
      'placed',
      'failed',
      'onExisting',
      'nodes',
      'hourlyPrice',
      'seconds',
      'errors',
    ]);
  });
});

describe('the YAML of a plan', () => {
  it('names pods and keeps every reason', () => {
    const reasons = [{ nodePool: 'first', failed: ['taints' as const], message: 'no' }];
    const text = planYaml(
      simulated(
        {
          rejections: [{ pod: 'uid-default-a', reasons, message: 'no' }],
          placements: [{ node: 'n', pods: ['uid-default-b'] }],
        },
        [pod('a'), pod('b')],
      ),
    );
    expect(text.startsWith('---\nsource: a.yaml\n')).toBe(true);
    expect(text).toContain('rejections:\n  - pod: a\n    reasons:\n      - nodePool: first\n');
    expect(text).toContain('placements:\n  - node: n\n    pods:\n      - b\n');
  });
});

describe('new nodes whose types an overlay has changed', () => {
  it('carry the annotation that their NodeClaims will have', () => {
    const overlaid = { ...instanceType('c.large', '3', 0.1), hasCapacityOverlay: true };
    const plain = simulated({ newNodes: [newNode('first', 'c.large', 0.1, [])] });
    const instanceTypes = new Map([['first', [overlaid]]]);
    const changed = { ...plain, snapshot: { ...plain.snapshot, instanceTypes } };
    expect(planYaml(changed)).toContain(
      '    annotations:\n      karpenter.sh/capacity-overlay-applied: "true"\n',
    );
    expect(planYaml(plain)).not.toContain('annotations');
  });
});

describe('buffers, overlays and ignored pods', () => {
  const virtual: PodView = {
    metadata: {
      name: 'capacity-buffer-spare-1',
      namespace: 'shop',
      uid: 'v',
      annotations: {
        'karpenter.sh/capacity-buffer-fake-pod': 'true',
        'karpenter.sh/capacity-buffer-name': 'spare',
        'karpenter.sh/capacity-buffer-namespace': 'shop',
      },
    },
    spec: { containers: [] },
  };
  const ready = {
    status: 'True',
    reason: 'Resolved',
    message: 'Pod template resolved successfully',
  } as const;
  const given = simulated(
    {
      newNodes: [newNode('first', 'c.large', 0.1, ['uid-default-a', 'v'])],
      placements: [{ node: 'n', pods: ['uid-default-b'] }],
    },
    [pod('a'), pod('b'), virtual],
    {
      ignored: [{ name: 'odd', namespace: 'default', uid: 'o', message: 'nobody knows why' }],
      held: [
        { name: 'late', namespace: 'default', uid: 'l', message: 'NodeClaim c may be launching for it' },
      ],
      overlays: [
        { overlay: 'cheap', verdict: 'valid' },
        { overlay: 'twice', verdict: 'conflict' },
      ],
      buffers: [{ name: 'spare', namespace: 'shop', replicas: 1, readyForProvisioning: ready }],
    },
  );

  it('are counted separately from planned pods', () => {
    expect(summary(given)).toMatchObject({
      pods: 2,
      placed: 2,
      onExisting: 1,
      failed: 0,
      ignored: { odd: 'nobody knows why' },
      held: { late: 'NodeClaim c may be launching for it' },
      overlays: { cheap: 'Valid', twice: 'Conflict: conflict with another overlay' },
      buffers: {
        'shop/spare': {
          replicas: 1,
          onExisting: 0,
          onNew: 1,
          failed: 0,
          state: 'RequiresNewCapacity: 1/1 virtual pods required new capacity, 0 failed',
        },
      },
    });
  });

  it('are absent from the summary if there are none', () => {
    expect(Object.keys(summary(simulated({})))).not.toEqual(
      expect.arrayContaining(['ignored', 'buffers', 'overlays']),
    );
  });

  it('have columns and sections of their own in the table', () => {
    const table = planTable(given);
    expect(table).toContain(
      '2 pods, 2 placed (1 on existing nodes); 1 ignored; 1 waiting for launches; 1 new node',
    );
    expect(table).toMatch(/PODS {2}VIRTUAL\nfirst .* 1 {8}1\n/);
    expect(table).toContain('EXISTING NODE  PODS  VIRTUAL\nn                 1        0');
    expect(table).toContain(
      'BUFFER      PODS  EXISTING  NEW  FAILED\nshop/spare     1         0    1       0\n  RequiresNewCapacity: ',
    );
    expect(table).toContain('NodeOverlay twice is not applied: conflict with another overlay');
    expect(table).not.toContain('NodeOverlay cheap');
    expect(table).toContain('1 pod ignored: odd\n  nobody knows why\n');
    expect(table).toContain('1 pod waiting: late\n  NodeClaim c may be launching for it\n');
  });

  it('are listed separately in YAML', () => {
    const text = planYaml(given);
    expect(text).toContain('    pods:\n      - a\n');
    expect(text).toContain('    virtualPods:\n      - capacity-buffer-spare-1\n');
    expect(text).toContain('ignored:\n  odd: nobody knows why\n');
  });
});
