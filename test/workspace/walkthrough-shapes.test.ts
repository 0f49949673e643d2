import { ec2NodeClasses } from '@karpenter/aws';
import type { NodeClaim } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import type { Event, Node } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { running } from '../walkthroughs/pods.ts';
import { embeddedWorld, type LogLine, type World } from '../walkthroughs/world.ts';

/** The objects of a first node, from five pending pods to an empty cluster. */
interface Traces {
  readonly claim: NodeClaim;
  readonly node: Node;
  readonly log: readonly LogLine[];
  readonly events: readonly Event[];
}

let world: World;
let left: Promise<Traces> | undefined;
let traces: Traces;

beforeAll(async () => {
  world = await embeddedWorld();
});

// Shared by all tests, but created within one, because only a test can wait.
beforeEach(async () => {
  left ??= leaveTraces();
  traces = await left;
}, 120_000);

afterAll(() => world.stop());

async function leaveTraces(): Promise<Traces> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.eventually(classReady).toBe('True');
  await world.apply('01-first-node/nodepool.yaml');
  await world.apply('01-first-node/inflate.yaml');
  await world.scale('inflate', 5);
  await world.eventually(() => running(world, 'inflate')).toBe(5);
  await world.eventually(consolidatable).toBe('True');
  const [claim] = await world.nodeClaims();
  const [node] = await world.nodes();
  await world.scale('inflate', 0);
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
  await world.pass(1_000);
  const { items } = await world.client.list(kinds.event);
  if (claim === undefined || node === undefined) throw new Error('no node was made');
  return {
    claim,
    node,
    log: world.log.filter(({ level }) => level !== 'DEBUG'),
    events: items.filter(({ source }) => source?.component === 'karpenter'),
  };
}

async function classReady(): Promise<unknown> {
  const { status } = await world.client.get(ec2NodeClasses, { name: 'default' });
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

async function consolidatable(): Promise<unknown> {
  const [claim] = await world.nodeClaims();
  return claim?.status?.conditions?.find(({ type }) => type === 'Consolidatable')?.status;
}

const othersKeys = [
  /k8s\.aws|csi\.aws|cloud-provider-aws|failure-domain|beta\.kubernetes\.io\/instance-type/,
  /^volumes\.kubernetes\.io\//,
];

/**
 * Without the keys of AWS, its cloud controllers and kubelets: those that Karpenter writes on every cloud.
 */
function coreKeys(keys: object | undefined): readonly string[] {
  return Object.keys(keys ?? {})
    .filter((key) => !othersKeys.some((others) => others.test(key)))
    .sort();
}

describe('the NodeClaim of a first node', () => {
  it('carries the annotations and labels that tools read', () => {
    const { annotations, labels, generateName, name } = traces.claim.metadata;
    expect(coreKeys(annotations)).toEqual([
      'karpenter.sh/nodeclaim-min-values-relaxed',
      'karpenter.sh/nodepool-hash',
      'karpenter.sh/nodepool-hash-version',
    ]);
    expect(annotations).toMatchObject({
      'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
      'karpenter.sh/nodepool-hash': expect.stringMatching(/^\d+$/),
      'karpenter.sh/nodepool-hash-version': 'v3',
    });
    expect(coreKeys(labels)).toEqual([
      'karpenter.sh/capacity-type',
      'karpenter.sh/nodepool',
      'kubernetes.io/arch',
      'kubernetes.io/os',
      'node.kubernetes.io/instance-type',
      'topology.kubernetes.io/region',
      'topology.kubernetes.io/zone',
    ]);
    expect(generateName).toBe('default-');
    expect(name).toMatch(/^default-[a-z0-9]{5}$/);
  });

  it('is owned by its NodePool and has the termination finalizer', () => {
    const { ownerReferences, finalizers, generation } = traces.claim.metadata;
    expect(finalizers).toEqual(['karpenter.sh/termination']);
    expect(ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        blockOwnerDeletion: true,
        kind: 'NodePool',
        name: 'default',
        uid: expect.any(String),
      },
    ]);
    expect(generation).toBe(1);
  });

  it('has the requirements and requests of its pods', () => {
    const { spec } = traces.claim;
    expect(Object.keys(spec).sort()).toEqual(['expireAfter', 'nodeClassRef', 'requirements', 'resources']);
    expect(spec).toMatchObject({
      expireAfter: '720h',
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      resources: { requests: { cpu: '5', memory: '7680Mi', pods: '5' } },
    });
    const required = new Map(spec.requirements.map((requirement) => [requirement.key, requirement]));
    expect([...required.keys()].filter((key) => !key.includes('k8s.aws/instance')).sort()).toEqual([
      'karpenter.k8s.aws/ec2nodeclass',
      'karpenter.sh/capacity-type',
      'karpenter.sh/nodepool',
      'kubernetes.io/arch',
      'node.kubernetes.io/instance-type',
    ]);
    expect(required.get('karpenter.sh/nodepool')).toEqual({
      key: 'karpenter.sh/nodepool',
      operator: 'In',
      values: ['default'],
    });
    const types = required.get('node.kubernetes.io/instance-type')?.values ?? [];
    expect(types).toEqual([...types].sort());
  });

  it('has its progress in status conditions', () => {
    const { status } = traces.claim;
    expect(Object.keys(status ?? {}).sort()).toEqual([
      'allocatable',
      'capacity',
      'conditions',
      'imageID',
      'lastPodEventTime',
      'nodeName',
      'providerID',
    ]);
    const reached = (type: string) => ({
      lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      message: '',
      observedGeneration: 1,
      reason: type,
      status: 'True',
      type,
    });
    expect(status?.conditions).toEqual(
      ['Launched', 'ConsistentStateFound', 'Registered', 'Initialized', 'Consolidatable', 'Ready'].map(
        reached,
      ),
    );
    expect(status?.nodeName).toBe(traces.node.metadata?.name);
    expect(status?.providerID).toBe(traces.node.spec?.providerID);
    for (const list of [status?.allocatable, status?.capacity]) {
      expect(Object.keys(list ?? {})).toEqual(
        expect.arrayContaining(['cpu', 'ephemeral-storage', 'memory', 'pods']),
      );
    }
  });
});

describe('the Node of a first node', () => {
  it('has the labels of its NodeClaim and its progress', () => {
    const { annotations, labels, finalizers } = traces.node.metadata ?? {};
    expect(coreKeys(annotations)).toEqual([
      'karpenter.sh/nodeclaim-min-values-relaxed',
      'karpenter.sh/nodepool-hash',
      'karpenter.sh/nodepool-hash-version',
    ]);
    expect(coreKeys(labels)).toEqual([
      'beta.kubernetes.io/arch',
      'beta.kubernetes.io/os',
      'karpenter.sh/capacity-type',
      'karpenter.sh/do-not-sync-taints',
      'karpenter.sh/initialized',
      'karpenter.sh/nodepool',
      'karpenter.sh/registered',
      'kubernetes.io/arch',
      'kubernetes.io/hostname',
      'kubernetes.io/os',
      'node.kubernetes.io/instance-type',
      'topology.kubernetes.io/region',
      'topology.kubernetes.io/zone',
    ]);
    expect(labels).toMatchObject({ 'karpenter.sh/initialized': 'true', 'karpenter.sh/registered': 'true' });
    expect(labels).toMatchObject(traces.claim.metadata.labels ?? {});
    expect(finalizers).toEqual(['karpenter.sh/termination']);
  });

  it('is owned by its NodeClaim and has no taints left', () => {
    expect(traces.node.metadata?.ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        blockOwnerDeletion: true,
        kind: 'NodeClaim',
        name: traces.claim.metadata.name,
        uid: traces.claim.metadata.uid,
      },
    ]);
    expect(traces.node.spec).toEqual({ providerID: traces.claim.status?.providerID });
  });
});

const head = ['level', 'time', 'logger', 'message', 'controller'];
const ofSingleton = [...head, 'namespace', 'name', 'reconcileID'];
const ofObject = (kind: string) => [
  ...head,
  'controllerGroup',
  'controllerKind',
  kind,
  'namespace',
  'name',
  'reconcileID',
];

describe('the log of a first node', () => {
  const lines: readonly [message: string, controller: string, keys: readonly string[]][] = [
    ['found provisionable pod(s)', 'provisioner', [...ofSingleton, 'Pods', 'duration']],
    ['computed new nodeclaim(s) to fit pod(s)', 'provisioner', [...ofSingleton, 'nodeclaims', 'pods']],
    [
      'created nodeclaim',
      'provisioner',
      [...ofSingleton, 'NodePool', 'NodeClaim', 'requests', 'instance-types'],
    ],
    [
      'launched nodeclaim',
      'nodeclaim.lifecycle',
      [...ofObject('NodeClaim'), 'provider-id', 'instance-type', 'zone', 'capacity-type', 'allocatable'],
    ],
    ['registered nodeclaim', 'nodeclaim.lifecycle', [...ofObject('NodeClaim'), 'provider-id', 'Node']],
    [
      'initialized nodeclaim',
      'nodeclaim.lifecycle',
      [...ofObject('NodeClaim'), 'provider-id', 'allocatable'],
    ],
    [
      'disrupting node(s)',
      'disruption',
      [
        ...ofSingleton,
        'command',
        'decision',
        'disrupted-node-count',
        'replacement-node-count',
        'pod-count',
        'disrupted-nodes',
        'replacement-nodes',
      ],
    ],
    [
      'tainted node',
      'node.termination',
      [...ofObject('Node'), 'NodeClaim', 'taint.Key', 'taint.Value', 'taint.Effect'],
    ],
    ['deleted node', 'node.termination', [...ofObject('Node'), 'NodeClaim']],
    ['deleted nodeclaim', 'nodeclaim.lifecycle', [...ofObject('NodeClaim'), 'provider-id', 'Node']],
  ];

  it('has each message once and in order', () => {
    const logged = traces.log.filter(({ controller }) => controller !== 'nodeclass');
    expect(logged.map(({ message }) => message)).toEqual(lines.map(([message]) => message));
  });

  it.each(lines)('has the keys of "%s" in the usual order', (message, controller, keys) => {
    const line = lineOf(message);
    expect(Object.keys(line)).toEqual(keys);
    expect(line).toMatchObject({
      level: 'INFO',
      logger: 'controller',
      controller,
      namespace: '',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      reconcileID: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
  });

  it('contains the input and the result of planning', () => {
    const pod = 'default/inflate-[a-z0-9]+-[a-z0-9]{5}';
    expect(lineOf('found provisionable pod(s)')).toMatchObject({
      name: '',
      Pods: expect.stringMatching(new RegExp(`^${pod}(, ${pod}){4}$`)),
      duration: expect.stringMatching(/^[\d.]+(ns|µs|ms|s)$/),
    });
    expect(lineOf('computed new nodeclaim(s) to fit pod(s)')).toMatchObject({ nodeclaims: 1, pods: 5 });
    expect(lineOf('created nodeclaim')).toMatchObject({
      NodePool: { name: 'default' },
      NodeClaim: { name: traces.claim.metadata.name },
      requests: { cpu: '5', memory: '7680Mi', pods: '5' },
      'instance-types': expect.stringMatching(/^([a-z0-9.-]+, ){4}[a-z0-9.-]+ and \d+ other\(s\)$/),
    });
  });

  it('contains the instance and its type', () => {
    const { labels = {}, name } = traces.claim.metadata;
    const { providerID, allocatable } = traces.claim.status ?? {};
    const ofClaim = {
      controllerGroup: 'karpenter.sh',
      controllerKind: 'NodeClaim',
      NodeClaim: { name },
      name,
      'provider-id': providerID,
    };
    const node = { name: traces.node.metadata?.name };
    expect(lineOf('launched nodeclaim')).toMatchObject({
      ...ofClaim,
      'instance-type': labels['node.kubernetes.io/instance-type'],
      zone: labels['topology.kubernetes.io/zone'],
      'capacity-type': 'on-demand',
      allocatable,
    });
    expect(lineOf('registered nodeclaim')).toMatchObject({ ...ofClaim, Node: node });
    expect(lineOf('initialized nodeclaim')).toMatchObject({
      ...ofClaim,
      allocatable: traces.node.status?.allocatable,
    });
    expect(lineOf('deleted nodeclaim')).toMatchObject({ ...ofClaim, Node: node });
  });

  it('contains the reason and the steps of termination', () => {
    const name = traces.node.metadata?.name ?? '';
    const claim = { name: traces.claim.metadata.name };
    expect(lineOf('disrupting node(s)')).toMatchObject({
      command: expect.stringMatching(
        new RegExp(
          `^Empty/[0-9a-f-]{36}: delete: nodepools=\\[default\\]: \\[${name}\\] \\(savings: \\$\\d+\\.\\d\\d\\)$`,
        ),
      ),
      decision: 'delete',
      'disrupted-node-count': 1,
      'replacement-node-count': 0,
      'pod-count': 0,
      'disrupted-nodes': [
        {
          Node: { name },
          NodeClaim: claim,
          'capacity-type': 'on-demand',
          'instance-type': traces.claim.metadata.labels?.['node.kubernetes.io/instance-type'],
        },
      ],
      'replacement-nodes': [],
    });
    expect(lineOf('tainted node')).toMatchObject({
      controllerGroup: '',
      controllerKind: 'Node',
      Node: { name },
      name,
      NodeClaim: claim,
      'taint.Key': 'karpenter.sh/disrupted',
      'taint.Value': '',
      'taint.Effect': 'NoSchedule',
    });
    expect(lineOf('deleted node')).toMatchObject({ Node: { name }, name, NodeClaim: claim });
  });

  function lineOf(message: string): LogLine {
    const line = traces.log.find((candidate) => candidate.message === message);
    if (line === undefined) throw new Error(`nothing was logged as "${message}"`);
    return line;
  }
});

const became = (type: string, reason = type) =>
  `Normal ${type}: Status condition transitioned, Type: ${type}, Status: Unknown -> True, Reason: ${reason}`;

describe('the events of a first node', () => {
  it('report to pods the node they are nominated to', () => {
    const nominated = textsOf('Pod');
    expect(nominated).toEqual(
      Array.from(
        { length: 5 },
        () => `Normal Nominated: Pod should schedule on: nodeclaim/${traces.claim.metadata.name}`,
      ),
    );
  });

  it('report each step of the NodeClaim', () => {
    expect(textsOf('NodeClaim')).toEqual(
      expect.arrayContaining([
        became('Launched'),
        became('Registered'),
        became('Initialized'),
        became('Ready'),
        became('Drained'),
        'Normal DisruptionTerminating: Disrupting NodeClaim: Empty',
        'Normal Finalized: Finalized karpenter.sh/termination',
      ]),
    );
  });

  it('report when the NodePool becomes ready', () => {
    expect([...textsOf('NodePool')].sort()).toEqual(
      ['NodeClassReady', 'NodeRegistrationHealthy', 'Ready', 'ValidationSucceeded'].map((type) =>
        became(type),
      ),
    );
  });

  it('report the termination of the Node', () => {
    expect(textsOf('Node')).toEqual(
      expect.arrayContaining([
        'Normal DisruptionTerminating: Disrupting Node: Empty',
        'Normal Finalized: Finalized karpenter.sh/termination',
      ]),
    );
  });

  it('have karpenter as source, and are in namespace default for cluster-scoped objects', () => {
    for (const { metadata, source, reportingComponent } of traces.events) {
      expect([metadata.namespace, source?.component, reportingComponent]).toEqual([
        'default',
        'karpenter',
        'karpenter',
      ]);
    }
  });

  function textsOf(kind: string): readonly string[] {
    return traces.events
      .filter(({ involvedObject }) => involvedObject.kind === kind)
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  }
});
