import type { DefaultSpreadConstraint } from '@karpenter/core/api';
import type { Snapshot } from '@karpenter/core/scheduling';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { simulationsOf } from '../simulate.ts';
import { type Choices, type Findings, noChoices, type SimulationPorts } from '../simulation.ts';

interface Read {
  readonly snapshot: Snapshot;
  readonly findings: Findings;
  readonly notes: readonly string[];
}

async function readWith(choices: Choices, ...texts: readonly string[]): Promise<Read> {
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
    instanceTypes: () => [instanceType('small', { price: 1 }), instanceType('large', { price: 4 })],
    note: (text) => notes.push(text),
  };
  const files = [{ name: 'all.yaml', text: texts.join('\n---\n') }];
  const [prepare] = simulationsOf(files, ports, choices);
  if (prepare === undefined) throw new Error('no cluster was found');
  const { snapshot, findings } = await prepare();
  return { snapshot, findings, notes };
}

const read = (...texts: readonly string[]) => readWith(noChoices, pool, ...texts);
const podNames = ({ snapshot }: Read) => snapshot.pods.map(({ metadata }) => metadata.name);

const pool =
  '{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: default}, spec: {template: {spec: {requirements: [], ' +
  'nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}}}}';
const pod = (name: string, spec = '', rest = '') =>
  `{kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: main}]${spec && `, ${spec}`}}${rest && `, ${rest}`}}`;
const scheduled = (reason: string, rest = '') =>
  `status: {conditions: [{type: PodScheduled, status: 'False', reason: ${reason}}]${rest}}`;

describe('pods of manifests', () => {
  it('that cannot be planned for are ignored with the reason', async () => {
    const found = await read(pod('odd', 'nodeSelector: {kubernetes.io/hostname: n}'), pod('fine'));
    expect(podNames(found)).toEqual(['fine']);
    expect(found.findings.ignored).toMatchObject([
      { name: 'odd', namespace: 'default', message: expect.stringContaining('using label') },
    ]);
  });

  it('may require labels of AWS instance types', async () => {
    const { findings } = await read(pod('p', 'nodeSelector: {karpenter.k8s.aws/instance-family: m5}'));
    expect(findings.ignored).toEqual([]);
  });

  it('are skipped without a note while they are gated', async () => {
    expect(podNames(await read(pod('p', '', scheduled('SchedulingGated'))))).toEqual([]);
    expect(podNames(await read(pod('p', '', scheduled('Unschedulable'))))).toEqual(['p']);
  });

  it('with a nominated node are left out, with a note', async () => {
    const found = await read(pod('p', '', scheduled('Unschedulable', ', nominatedNodeName: n')));
    expect(podNames(found)).toEqual([]);
    expect(found.notes).toEqual(['one pod is waiting for a node that is being cleared, and left out']);
  });

  it('that are terminating keep their deletion timestamp', async () => {
    const running = (name: string, rest = '') =>
      `{kind: Pod, metadata: {name: ${name}${rest}}, spec: {nodeName: n, containers: [{name: main}]}}`;
    const { snapshot } = await read(
      '{kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4}}}',
      running('staying'),
      running('leaving', ", deletionTimestamp: '2026-01-01T00:00:00Z'"),
    );
    expect(snapshot.boundPods.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp])).toEqual([
      ['leaving', '2026-01-01T00:00:00Z'],
      ['staying', undefined],
    ]);
  });

  it('of a node that is being deleted are planned for, whatever their spec', async () => {
    const node = "{kind: Node, metadata: {name: n, deletionTimestamp: '2026-01-01T00:00:00Z'}}";
    const found = await read(node, pod('p', 'nodeName: n, nodeSelector: {kubernetes.io/hostname: n}'));
    expect(podNames(found)).toEqual(['p']);
  });

  it('of a node that is being deleted are ignored when they claim devices', async () => {
    const node = "{kind: Node, metadata: {name: n, deletionTimestamp: '2026-01-01T00:00:00Z'}}";
    const found = await read(node, pod('p', 'nodeName: n, resourceClaims: [{name: gpu}]'));
    expect(podNames(found)).toEqual([]);
    expect(found.findings.ignored).toHaveLength(1);
  });

  it('of a DaemonSet that claims devices are not counted', async () => {
    const template = 'template: {spec: {containers: [{}], resourceClaims: [{name: gpu}]}}';
    const { snapshot } = await read(`{kind: DaemonSet, metadata: {name: agent}, spec: {${template}}}`);
    expect(snapshot.daemonPods).toEqual([]);
  });
});

const withClaim = (claim: string) => `volumes: [{name: data, persistentVolumeClaim: {claimName: ${claim}}}]`;
const storageClass = (name: string, rest = 'volumeBindingMode: WaitForFirstConsumer') =>
  `{kind: StorageClass, metadata: {name: ${name}}, provisioner: ebs.csi.aws.com, ${rest}}`;

describe('the storage of manifests', () => {
  it('restricts pods to the zones of their volumes', async () => {
    const { snapshot } = await read(
      pod('p', withClaim('data')),
      "{kind: PersistentVolumeClaim, metadata: {name: data, annotations: {pv.kubernetes.io/bind-completed: 'yes'}}, spec: {volumeName: v}}",
      '{kind: PersistentVolume, metadata: {name: v}, spec: {csi: {driver: ebs.csi.aws.com}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [a]}]}]}}}}',
    );
    expect(snapshot.storage).toMatchObject({
      claims: [{ metadata: { name: 'data', namespace: 'default' }, spec: { volumeName: 'v' } }],
      volumes: [{ metadata: { name: 'v' } }],
      classes: [],
    });
    expect(snapshot.pods).toHaveLength(1);
  });

  it('ignores a pod whose claim is missing', async () => {
    const { findings } = await read(pod('p', withClaim('data')), storageClass('gp3'));
    expect(findings.ignored[0]?.message).toContain('PersistentVolumeClaim "data" not found');
  });

  it('binds immediately if the class sets no binding mode', async () => {
    const claim = '{kind: PersistentVolumeClaim, metadata: {name: data}, spec: {storageClassName: gp3}}';
    const { findings } = await read(
      pod('p', withClaim('data')),
      claim,
      storageClass('gp3', 'parameters: {}'),
    );
    expect(findings.ignored[0]?.message).toContain('immediate volume binding mode must be bound');
  });

  it('is not considered if the manifests contain none, with a note', async () => {
    const { snapshot, notes } = await read(pod('p', withClaim('data')));
    expect(snapshot.pods).toHaveLength(1);
    expect(snapshot.storage).toBeUndefined();
    expect(notes).toEqual([
      'there is no PersistentVolumeClaim, PersistentVolume or StorageClass among the manifests, so volumes may be anywhere',
    ]);
  });

  it('has a claim for each template and pod of a StatefulSet, of the default class', async () => {
    const isDefault = `{kind: StorageClass, metadata: {name: gp3, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}, provisioner: ebs.csi.aws.com, volumeBindingMode: WaitForFirstConsumer}`;
    const set =
      '{kind: StatefulSet, metadata: {name: db}, spec: {replicas: 2, template: {spec: {containers: [{}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]}}';
    const { snapshot, findings } = await read(set, isDefault);
    expect(findings.ignored).toEqual([]);
    expect(snapshot.storage?.claims).toEqual(
      [0, 1].map((index) => ({
        metadata: { name: `data-db-${index}`, namespace: 'default' },
        spec: { storageClassName: 'gp3' },
      })),
    );
    expect(snapshot.pods[1]?.spec.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } },
    ]);
  });

  it('has a claim for each ephemeral volume', async () => {
    const volumes =
      'volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: gp3}}}}]';
    const { snapshot, findings } = await read(pod('p', volumes), storageClass('gp3'));
    expect(findings.ignored).toEqual([]);
    expect(snapshot.storage?.claims[0]?.metadata.name).toBe('p-scratch');
  });

  it('limits the volumes of a node to the count of its CSI driver', async () => {
    const { snapshot } = await read(
      '{kind: Node, metadata: {name: n}}',
      '{kind: CSINode, metadata: {name: n}, spec: {drivers: [{name: a, allocatable: {count: 25}}, {name: b, allocatable: {}}, {name: c}]}}',
    );
    expect(snapshot.nodes[0]?.volumeLimits).toEqual({ a: 25, b: 0 });
  });
});

const claim = (name: string, status: string, rest = '') =>
  `{kind: NodeClaim, metadata: {name: ${name}, labels: {karpenter.sh/nodepool: default}${rest}}, ` +
  `spec: {taints: [{key: own, effect: NoSchedule}], startupTaints: [{key: boot, effect: NoSchedule}]}, status: {${status}}}`;

describe('NodeClaims', () => {
  it('count as nodes once they are launched', async () => {
    const { snapshot } = await read(claim('c', 'capacity: {cpu: 4}, allocatable: {cpu: 3500m}'));
    expect(snapshot.nodes).toEqual([
      {
        name: 'c',
        nodeClaim: 'c',
        nodePool: 'default',
        labels: { 'karpenter.sh/nodepool': 'default' },
        taints: [{ key: 'own', effect: 'NoSchedule' }],
        initialized: false,
        deleting: false,
        capacity: { cpu: 4 },
        allocatable: { cpu: '3500m' },
        podRequests: {},
        daemonRequests: {},
      },
    ]);
  });

  it('that are not launched hold the pods they may be for, and count against limits', async () => {
    const launching = claim('c', '', ", creationTimestamp: '2026-01-02T00:00:00Z'").replace(
      'spec: {',
      'spec: {resources: {requests: {cpu: 2}}, ',
    );
    const created = (name: string, at: string) =>
      `{kind: Pod, metadata: {name: ${name}, creationTimestamp: '${at}'}, spec: {containers: [{name: main}]}}`;
    const found = await read(
      launching,
      created('before', '2026-01-01T00:00:00Z'),
      created('after', '2026-01-03T00:00:00Z'),
    );
    expect(podNames(found)).toEqual(['after']);
    expect(found.findings.held).toMatchObject([
      { name: 'before', message: 'NodeClaim c may be launching for it' },
    ]);
    expect(found.snapshot.nodes).toMatchObject([{ nodeClaim: 'c', allocatable: {} }]);
  });

  const node =
    '{kind: Node, metadata: {name: n}, spec: {taints: [{key: own, effect: NoSchedule}, {key: boot, effect: NoSchedule}, {key: karpenter.sh/unregistered, effect: NoExecute}]}}';
  const taintsAfter = async (status: string) =>
    (await read(node, claim('c', `nodeName: n, ${status}`))).snapshot.nodes;

  it('drop the startup taints of a node that is not initialized', async () => {
    expect(await taintsAfter('conditions: []')).toMatchObject([
      { name: 'n', nodeClaim: 'c', initialized: false, taints: [{ key: 'own' }] },
    ]);
  });

  it('keep all taints of an initialized node', async () => {
    const [only] = await taintsAfter("conditions: [{type: Initialized, status: 'True'}]");
    expect(only?.initialized).toBe(true);
    expect(only?.taints).toHaveLength(3);
  });

  it('that are being deleted mark their node as deleting', async () => {
    const leaving = claim('c', 'nodeName: n', ", deletionTimestamp: '2026-01-01T00:00:00Z'");
    const found = await read('{kind: Node, metadata: {name: n}}', leaving, pod('p', 'nodeName: n'));
    expect(found.snapshot.nodes[0]?.deleting).toBe(true);
    expect(podNames(found)).toEqual(['p']);
  });
});

const overlay = (name: string, spec: string) =>
  `{apiVersion: karpenter.sh/v1alpha1, kind: NodeOverlay, metadata: {name: ${name}}, spec: {requirements: [], ${spec}}}`;

describe('NodeOverlays', () => {
  it('change the offerings of NodePools', async () => {
    const { snapshot, findings } = await read(
      overlay('expensive', "price: '9', capacity: {example.com/slot: 2}"),
    );
    const [type] = snapshot.instanceTypes.get('default') ?? [];
    expect(type?.offerings.map(({ price }) => price)).toEqual([9, 9, 9]);
    expect(type?.capacity).toMatchObject({ 'example.com/slot': 2 });
    expect(findings.overlays).toEqual([{ overlay: 'expensive', verdict: 'valid' }]);
  });

  it('that conflict are reported', async () => {
    const { findings } = await read(overlay('a', "price: '9'"), overlay('b', "price: '8'"));
    expect(findings.overlays.map(({ verdict }) => verdict)).toEqual(['valid', 'conflict']);
  });

  it('are rejected as an API server would reject them', async () => {
    await expect(read(overlay('a', "price: '9', priceAdjustment: '+1'"))).rejects.toThrow(
      'all.yaml, document 2: NodeOverlay "a" is invalid: ' +
        "spec: Invalid value: cannot set both 'price' and 'priceAdjustment'",
    );
  });
});

const buffer = (spec: string) =>
  `{apiVersion: autoscaling.x-k8s.io/v1beta1, kind: CapacityBuffer, metadata: {name: spare}, spec: {${spec}}}`;
const deployment =
  '{kind: Deployment, metadata: {name: web}, spec: {replicas: 4, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{resources: {limits: {cpu: 2}}}]}}}}';

describe('CapacityBuffers', () => {
  const virtual = ({ snapshot }: Read) =>
    snapshot.pods.filter(({ metadata }) => metadata.name.startsWith('capacity-buffer'));

  it('become virtual pods with the template of a workload', async () => {
    const found = await read(
      deployment,
      buffer('scalableRef: {kind: Deployment, name: web}, percentage: 50'),
    );
    expect(virtual(found)).toHaveLength(2);
    expect(virtual(found)[0]).toMatchObject({
      metadata: { namespace: 'default', labels: { app: 'web' } },
      spec: { containers: [{ resources: { requests: { cpu: 2 } } }] },
    });
    expect(found.findings.buffers).toMatchObject([{ name: 'spare', namespace: 'default', replicas: 2 }]);
  });

  it('may refer to a PodTemplate', async () => {
    const template = '{kind: PodTemplate, metadata: {name: slot}, template: {spec: {containers: [{}]}}}';
    expect(virtual(await read(template, buffer('podTemplateRef: {name: slot}, replicas: 3')))).toHaveLength(
      3,
    );
  });

  it('with a dangling reference are reported', async () => {
    const found = await read(buffer('podTemplateRef: {name: slot}, replicas: 3'));
    expect(virtual(found)).toEqual([]);
    expect(found.findings.buffers[0]?.readyForProvisioning).toMatchObject({ reason: 'PodTemplateNotFound' });
  });
});

describe('default spread constraints', () => {
  const zone: DefaultSpreadConstraint = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
  };
  const choices = { ...noChoices, defaultConstraints: [zone] };
  const spreadOf = async (...texts: readonly string[]) =>
    (await readWith(choices, pool, ...texts)).snapshot.pods[0]?.spec.topologySpreadConstraints;

  it('spread the pods of a Deployment', async () => {
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web'] }];
    expect(await spreadOf(deployment)).toEqual([
      { ...zone, labelSelector: { matchLabels: {}, matchExpressions } },
    ]);
  });

  it('spread pods behind a Service', async () => {
    const service = '{kind: Service, metadata: {name: s}, spec: {selector: {app: web}}}';
    const lone = '{kind: Pod, metadata: {name: p, labels: {app: web}}, spec: {containers: [{name: main}]}}';
    expect((await spreadOf(lone, service))?.[0]?.labelSelector?.matchLabels).toEqual({ app: 'web' });
    expect(await spreadOf(lone)).toBeUndefined();
  });

  it('apply to pods of manifests only, with a note', async () => {
    const scenario = '{instanceTypes: [], nodePools: [], pods: []}';
    expect((await readWith(choices, scenario)).notes).toEqual([
      'default spread constraints are given to pods of manifests only, not of scenarios or saved clusters',
    ]);
  });
});
