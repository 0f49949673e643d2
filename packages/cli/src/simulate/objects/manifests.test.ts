import type { Snapshot } from '@karpenter/core/scheduling';
import { describe, expect, it } from 'vitest';
import { simulationsOf } from '../simulate.ts';
import type { SimulationPorts } from '../simulation.ts';

interface Read {
  readonly snapshot: Snapshot;
  readonly notes: readonly string[];
  readonly source: string;
}

/** Reads files of the given texts as one cluster. */
async function read(...texts: readonly string[]): Promise<Read> {
  const notes: string[] = [];
  const ports: SimulationPorts = {
    plan: () => ({
      revision: 0,
      placements: [],
      newNodes: [],
      rejections: [],
      deferred: [],
      unevaluated: [],
    }),
    clock: { now: () => 5, monotonic: () => 0 },
    instanceTypes: () => [{ name: 'any', requirements: [], capacity: {}, overhead: {}, offerings: [] }],
    note: (text) => notes.push(text),
  };
  const files = texts.map((text, index) => ({ name: `${index + 1}.yaml`, text }));
  const [prepare, ...others] = simulationsOf(files, ports);
  expect(others).toEqual([]);
  if (prepare === undefined) throw new Error('no cluster was found');
  const { snapshot, source } = await prepare();
  return { snapshot, source, notes };
}

const podNames = ({ snapshot }: Read) => snapshot.pods.map(({ metadata }) => metadata.name);
const template = 'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main}]}}';
const podSpec = 'spec: {containers: [{name: main, resources: {requests: {cpu: 500m}}}]}';

describe('workloads', () => {
  it.each([
    ['Deployment', 'replicas: 2', ['web-0', 'web-1']],
    ['ReplicaSet', 'replicas: 1', ['web-0']],
    ['ReplicationController', 'replicas: 0', []],
    ['StatefulSet', '', ['web-0']],
    ['Job', '', ['web-0']],
    ['Job', 'parallelism: 3, completions: 2', ['web-0', 'web-1']],
    ['Job', 'parallelism: 2, completions: 9', ['web-0', 'web-1']],
    ['Job', 'suspend: true', []],
  ])('a %s with %j asks for %j', async (kind, numbers, names) => {
    const spec = [numbers, template].filter(Boolean).join(', ');
    expect(podNames(await read(`{kind: ${kind}, metadata: {name: web}, spec: {${spec}}}`))).toEqual(names);
  });

  it('expand to pods that share spec and labels, so that planning compares them by identity', async () => {
    const { snapshot } = await read(
      `{kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2, ${template}}}`,
    );
    const [first, second] = snapshot.pods;
    expect(first?.metadata.namespace).toBe('shop');
    expect(first?.spec).toBe(second?.spec);
    expect(first?.metadata.labels).toBe(second?.metadata.labels);
    expect(first?.metadata.uid).not.toBe(second?.metadata.uid);
  });

  it('use limits as defaults for missing requests, as the API server does', async () => {
    const limits = 'template: {spec: {containers: [{resources: {limits: {cpu: 2}}}]}}';
    const { snapshot } = await read(`{kind: Deployment, metadata: {name: web}, spec: {${limits}}}`);
    expect(snapshot.pods[0]?.spec?.containers[0]?.resources?.requests).toEqual({ cpu: 2 });
  });

  it('are not expanded if the input contains an object that they own', async () => {
    const owned = (kind: string) => `ownerReferences: [{kind: ${kind}, name: web, controller: true}]`;
    const all = await read(
      `{kind: Deployment, metadata: {name: web}, spec: {replicas: 5, ${template}}}`,
      `{kind: ReplicaSet, metadata: {name: web, ${owned('Deployment')}}, spec: {replicas: 5, ${template}}}`,
      `{kind: Pod, metadata: {name: web-x, ${owned('ReplicaSet')}}, ${podSpec}}`,
    );
    expect(podNames(all)).toEqual(['web-x']);
  });

  it('give one daemon pod for each DaemonSet', async () => {
    const { snapshot } = await read(`{kind: DaemonSet, metadata: {name: agent}, spec: {${template}}}`);
    expect(snapshot.pods).toEqual([]);
    expect(snapshot.daemonPods.map(({ metadata }) => metadata.name)).toEqual(['agent']);
  });
});

const node = (name: string, rest = '') =>
  `{kind: Node, metadata: {name: ${name}, labels: {karpenter.sh/nodepool: default}${rest}}, ` +
  'spec: {taints: [{key: a, effect: NoSchedule}]}, status: {capacity: {cpu: 4}, allocatable: {cpu: 3500m}}}';
const bound = (name: string, on: string, owner = 'ReplicaSet') =>
  `{kind: Pod, metadata: {name: ${name}, ownerReferences: [{kind: ${owner}, name: o}]}, ` +
  `spec: {nodeName: ${on}, containers: [{resources: {requests: {cpu: 500m}}}]}}`;

describe('nodes', () => {
  it('have the pods that are bound to them, with their requests', async () => {
    const { snapshot } = await read(node('n'), bound('a', 'n'), bound('d', 'n', 'DaemonSet'));
    expect(snapshot.nodes).toEqual([
      {
        name: 'n',
        nodePool: 'default',
        labels: {
          'karpenter.sh/nodepool': 'default',
          'karpenter.sh/registered': 'true',
          'karpenter.sh/initialized': 'true',
        },
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        initialized: true,
        deleting: false,
        capacity: { cpu: 4 },
        allocatable: { cpu: '3500m' },
        podRequests: { cpu: '1', pods: '2' },
        daemonRequests: { cpu: '500m', pods: '1' },
      },
    ]);
    expect(snapshot.boundPods.map(({ nodeName }) => nodeName)).toEqual(['n', 'n']);
    expect(snapshot.pods).toEqual([]);
  });

  it('that are being deleted leave their pods to be planned for, except those of DaemonSets', async () => {
    const leaving = node('n', ", deletionTimestamp: '2026-01-01T00:00:00Z'");
    const all = await read(leaving, bound('a', 'n'), bound('d', 'n', 'DaemonSet'));
    expect(all.snapshot.nodes[0]?.deleting).toBe(true);
    expect(podNames(all)).toEqual(['a']);
    expect(all.snapshot.boundPods.map(({ metadata }) => metadata.name)).toEqual(['d']);
  });

  it('that are cordoned get the unschedulable taint', async () => {
    const { snapshot } = await read('{kind: Node, metadata: {name: n}, spec: {unschedulable: true}}');
    expect(snapshot.nodes[0]?.taints).toEqual([
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
    ]);
  });

  it('missing from the input leave their pods out, with a note', async () => {
    const all = await read(bound('a', 'elsewhere'));
    expect(all.snapshot.pods).toEqual([]);
    expect(all.notes).toContain('one pod is on nodes that are not among the manifests, and left out');
  });
});

describe('pods', () => {
  it('that are terminated, gated or owned by a DaemonSet are not placed', async () => {
    const all = await read(
      `{kind: Pod, metadata: {name: done}, ${podSpec}, status: {phase: Succeeded}}`,
      '{kind: Pod, metadata: {name: gated}, spec: {containers: [], schedulingGates: [{name: g}]}}',
      `{kind: Pod, metadata: {name: agent, ownerReferences: [{kind: DaemonSet, name: d}]}, ${podSpec}}`,
      `{kind: Pod, metadata: {name: plain}, ${podSpec}}`,
    );
    expect(podNames(all)).toEqual(['plain']);
  });

  it('are read from lists too, and items of a typed list need no kind', async () => {
    const listed = `{metadata: {name: a}, ${podSpec}}`;
    const all = await read(
      `{kind: PodList, items: [${listed}]}`,
      `{kind: List, items: [{kind: Pod, metadata: {name: b}, ${podSpec}}]}`,
    );
    expect(podNames(all)).toEqual(['a', 'b']);
  });

  it('are rejected when two have the same name', async () => {
    const pod = `{kind: Pod, metadata: {name: a}, ${podSpec}}`;
    await expect(read(pod, pod)).rejects.toThrow(
      '2.yaml, document 1: Pod default/a is already in 1.yaml, document 1',
    );
  });

  it('with null in a field are read as if the field were absent', async () => {
    expect(podNames(await read(`{kind: Pod, metadata: {name: a, labels: null}, ${podSpec}}`))).toEqual(['a']);
  });
});

describe('the rest of a cluster', () => {
  const pool = (name: string) =>
    `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: ${name}}, spec: {template: {spec: {requirements: [], ` +
    'nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}}}}';

  it('has defaults and all instance types for every NodePool', async () => {
    const { snapshot, notes } = await read(`${pool('a')}\n---\n${pool('b')}`);
    expect(snapshot.nodePools[0]?.spec.disruption.consolidateAfter).toBe('0s');
    expect(snapshot.instanceTypes.get('a')).toBe(snapshot.instanceTypes.get('b'));
    expect(snapshot.instanceTypes.get('a')).toHaveLength(1);
    expect(notes).toEqual([]);
  });

  it('without a NodePool is noted', async () => {
    expect((await read(`{kind: Pod, metadata: {name: a}, ${podSpec}}`)).notes).toEqual([
      'there is no NodePool among the manifests, so no node can be made',
    ]);
  });

  it('skips unsupported kinds and notes the consequence', async () => {
    const { notes } = await read(pool('a'), '{kind: EC2NodeClass, metadata: {name: default}}');
    expect(notes).toEqual([
      'one EC2NodeClass is not looked at: every instance type and zone of the catalogue is taken to be allowed',
    ]);
  });

  it('skips irrelevant kinds without a note', async () => {
    expect((await read(pool('a'), '{kind: ConfigMap, metadata: {name: web}}')).notes).toEqual([]);
  });

  it('has the labels of namespaces, and the names of namespaces missing from the input', async () => {
    const { snapshot } = await read(
      '{kind: Namespace, metadata: {name: shop, labels: {team: a}}}',
      `{kind: Pod, metadata: {name: a, namespace: other}, ${podSpec}}`,
    );
    expect([...snapshot.namespaces]).toEqual([
      ['other', { 'kubernetes.io/metadata.name': 'other' }],
      ['shop', { 'kubernetes.io/metadata.name': 'shop', team: 'a' }],
    ]);
  });
});
