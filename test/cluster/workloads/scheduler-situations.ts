import type {
  Affinity,
  Container,
  Node,
  NodeSpec,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
} from 'kubernetes-types/core/v1.js';
import type { PriorityClass } from 'kubernetes-types/scheduling/v1.js';
import type { CSINode, StorageClass } from 'kubernetes-types/storage/v1.js';

/** Nodes with their pods, and a pod that fits on none of them. */
export interface Situation {
  readonly title: string;
  /** Part of the message of the real scheduler, which proves that the situation is the intended one. */
  readonly says: string;
  readonly nodes: readonly Node[];
  /** Pods that are bound from the start. */
  readonly running?: readonly Pod[];
  readonly pending: PodSpec;
  readonly labels?: Readonly<Record<string, string>>;
  readonly classes?: readonly StorageClass[];
  readonly volumes?: readonly PersistentVolume[];
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly csiNodes?: readonly CSINode[];
  readonly priorities?: readonly PriorityClass[];
}

interface NodeOptions {
  readonly labels?: Record<string, string>;
  readonly spec?: NodeSpec;
  readonly allocatable?: Record<string, string>;
}

function node(name: string, { labels = {}, spec = {}, allocatable = {} }: NodeOptions = {}): Node {
  const amounts = { cpu: '4', memory: '8Gi', pods: '10', 'ephemeral-storage': '50Gi', ...allocatable };
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }],
    },
  };
}

function asking(requests: Record<string, string>, rest: Partial<Container> = {}): PodSpec {
  const limits = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes('/')));
  return {
    containers: [
      { name: 'main', image: 'registry.invalid/main:1', resources: { requests, limits }, ...rest },
    ],
  };
}

function running(name: string, nodeName: string, spec: PodSpec, labels: Record<string, string> = {}): Pod {
  return { metadata: { name, labels }, spec: { ...spec, nodeName } };
}

const zoneKey = 'topology.kubernetes.io/zone';
const inZone = (zone: string): NodeOptions => ({ labels: { [zoneKey]: zone } });
const small = asking({ cpu: '100m', memory: '64Mi' });
const three = [node('a', inZone('z1')), node('b', inZone('z1')), node('c', inZone('z2'))];

function apart(app: string, topologyKey: string): Affinity {
  const labelSelector = { matchLabels: { app } };
  return {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector }] },
  };
}

function spread(topologyKey: string, app: string) {
  const labelSelector = { matchLabels: { app } };
  return [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }];
}

const withClaim = (claimName: string): PodSpec => ({
  ...small,
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});

const storageClass = (
  name: string,
  volumeBindingMode: string,
  provisioner = 'ebs.csi.aws.com',
): StorageClass => ({
  metadata: { name },
  provisioner,
  volumeBindingMode,
});

function claim(name: string, storageClassName: string, volumeName?: string): PersistentVolumeClaim {
  return {
    metadata: {
      name,
      ...(volumeName && { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }),
    },
    spec: {
      storageClassName,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...(volumeName && { volumeName }),
    },
    ...(volumeName && { status: { phase: 'Bound' } }),
  };
}

function volume(name: string, zone: string): PersistentVolume {
  const matchExpressions = [{ key: zoneKey, operator: 'In', values: [zone] }];
  return {
    metadata: { name },
    spec: {
      storageClassName: 'fast',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: name },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  };
}

export const situations: readonly Situation[] = [
  { title: 'no node at all', says: 'no nodes available', nodes: [], pending: small },
  {
    title: 'too much CPU and memory on every node',
    says: 'Insufficient memory',
    nodes: three,
    pending: asking({ cpu: '64', memory: '64Gi' }),
  },
  {
    title: 'nodes that are full of pods as important',
    says: 'No preemption victims found',
    nodes: [node('a'), node('b')],
    running: [running('x', 'a', asking({ cpu: '3' })), running('y', 'b', asking({ cpu: '3500m' }))],
    pending: asking({ cpu: '2' }),
  },
  {
    title: 'nodes that may have no more pods',
    says: 'Too many pods',
    nodes: [node('a', { allocatable: { pods: '1' } })],
    running: [running('x', 'a', small)],
    pending: small,
  },
  {
    title: 'a device that no node has',
    says: 'Insufficient example.com/gpu',
    nodes: [node('a'), node('b', { allocatable: { 'example.com/gpu': '1' } })],
    pending: asking({ cpu: '1', 'example.com/gpu': '2' }),
  },
  {
    title: 'taints that the pod does not tolerate',
    says: 'untolerated taint',
    nodes: [
      node('a', { spec: { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] } }),
      node('b', { spec: { taints: [{ key: 'gone', effect: 'NoExecute' }] } }),
    ],
    pending: small,
  },
  {
    title: 'a selector that no node matches',
    says: "didn't match Pod's node affinity/selector",
    nodes: three,
    pending: { ...small, nodeSelector: { [zoneKey]: 'z9' } },
  },
  {
    title: 'cordoned nodes',
    says: 'were unschedulable',
    nodes: [node('a', { spec: { unschedulable: true } }), node('b', { spec: { unschedulable: true } })],
    pending: small,
  },
  {
    title: 'a host port that is taken',
    says: 'free ports',
    nodes: [node('a')],
    running: [running('x', 'a', asking({ cpu: '1' }, { ports: [{ containerPort: 80, hostPort: 8080 }] }))],
    pending: asking({ cpu: '1' }, { ports: [{ containerPort: 80, hostPort: 8080 }] }),
  },
  {
    title: 'pods that it wants to be apart from',
    says: "didn't match pod anti-affinity rules",
    nodes: [node('a', inZone('z1')), node('b', inZone('z1'))],
    running: [running('x', 'a', small, { app: 'web' })],
    pending: { ...small, affinity: apart('web', zoneKey) },
  },
  {
    title: 'pods that want to be apart from it',
    says: "didn't satisfy existing pods anti-affinity rules",
    nodes: [node('a')],
    running: [running('x', 'a', { ...small, affinity: apart('loud', 'kubernetes.io/hostname') })],
    pending: small,
    labels: { app: 'loud' },
  },
  {
    title: 'company that is nowhere',
    says: "didn't match pod affinity rules",
    nodes: three,
    pending: {
      ...small,
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: zoneKey, labelSelector: { matchLabels: { app: 'cache' } } },
          ],
        },
      },
    },
  },
  {
    title: 'zones that would become uneven',
    says: "didn't match pod topology spread constraints",
    nodes: [node('a', inZone('z1')), node('b', { ...inZone('z2'), allocatable: { cpu: '1' } })],
    running: [running('x', 'a', asking({ cpu: '1' }), { app: 'web' })],
    pending: { ...asking({ cpu: '2' }), topologySpreadConstraints: spread(zoneKey, 'web') },
    labels: { app: 'web' },
  },
  {
    title: 'nodes outside the topology to spread over',
    says: 'missing required label',
    nodes: [node('a'), node('b')],
    pending: { ...small, topologySpreadConstraints: spread('example.com/rack', 'web') },
    labels: { app: 'web' },
  },
  {
    title: 'a claim that does not exist',
    says: 'persistentvolumeclaim "absent" not found',
    nodes: three,
    pending: withClaim('absent'),
  },
  {
    title: 'a claim that gets no volume',
    says: 'unbound immediate PersistentVolumeClaims',
    nodes: three,
    classes: [storageClass('now', 'Immediate')],
    claims: [claim('data', 'now')],
    pending: withClaim('data'),
  },
  {
    title: 'a volume in a zone without nodes',
    says: "didn't match PersistentVolume's node affinity",
    nodes: three,
    classes: [storageClass('fast', 'WaitForFirstConsumer')],
    volumes: [volume('elsewhere', 'z9')],
    claims: [claim('data', 'fast', 'elsewhere')],
    pending: withClaim('data'),
  },
  {
    title: 'a class that makes no volumes',
    says: "didn't find available persistent volumes to bind",
    nodes: three,
    classes: [storageClass('local', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner')],
    claims: [claim('data', 'local')],
    pending: withClaim('data'),
  },
  {
    title: 'a pod for one node that has no room',
    says: 'plugin(s) [NodeAffinity]',
    nodes: three,
    running: [running('x', 'b', asking({ cpu: '4' }))],
    pending: {
      ...asking({ cpu: '1' }),
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    },
  },
  {
    title: 'a different reason on each node',
    says: '1 Insufficient cpu, 1 node(s)',
    nodes: [
      node('a', { allocatable: { cpu: '1' } }),
      node('b', { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } }),
      node('c', { spec: { unschedulable: true } }),
      node('d', { labels: { pool: 'other' } }),
    ],
    pending: {
      ...asking({ cpu: '2' }),
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] }],
          },
        },
      },
    },
  },
  {
    title: 'a pod that may not push others out',
    says: 'preemptionPolicy=Never',
    nodes: [node('a')],
    priorities: [{ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' }],
    running: [running('x', 'a', asking({ cpu: '3' }))],
    pending: { ...asking({ cpu: '2' }), priorityClassName: 'polite' },
  },
  {
    title: 'an important pod for which pushing others out is not enough',
    says: 'preemption: 0/2 nodes are available: 1 Insufficient cpu, 1 No preemption victims',
    nodes: [node('a'), node('b')],
    priorities: [{ metadata: { name: 'urgent' }, value: 1000 }],
    running: [
      running('x', 'a', { ...asking({ cpu: '2' }), priorityClassName: 'urgent' }),
      running('w', 'a', asking({ cpu: '1' })),
      running('y', 'b', { ...asking({ cpu: '3' }), priorityClassName: 'urgent' }),
    ],
    pending: { ...asking({ cpu: '3' }), priorityClassName: 'urgent' },
  },
  {
    title: 'a node that can have no more volumes',
    says: 'exceed max volume count',
    nodes: [node('a', inZone('z1'))],
    classes: [storageClass('fast', 'WaitForFirstConsumer')],
    volumes: [volume('one', 'z1'), volume('two', 'z1')],
    claims: [claim('first', 'fast', 'one'), claim('second', 'fast', 'two')],
    csiNodes: [
      {
        metadata: { name: 'a' },
        spec: { drivers: [{ name: 'ebs.csi.aws.com', nodeID: 'a', allocatable: { count: 1 } }] },
      },
    ],
    running: [running('x', 'a', withClaim('first'))],
    pending: withClaim('second'),
  },
  {
    title: 'a claim for one pod alone that another has',
    says: 'ReadWriteOncePod',
    nodes: [node('a', inZone('z1'))],
    classes: [storageClass('fast', 'WaitForFirstConsumer')],
    volumes: [volume('one', 'z1')],
    claims: [
      {
        ...claim('only', 'fast', 'one'),
        spec: { ...claim('only', 'fast', 'one').spec, accessModes: ['ReadWriteOncePod'] },
      },
    ],
    running: [running('x', 'a', withClaim('only'))],
    pending: withClaim('only'),
  },
  {
    title: 'node taints that keep a domain from counting',
    says: "didn't match pod topology spread constraints",
    nodes: [
      node('a', inZone('z1')),
      node('b', { ...inZone('z2'), spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } }),
      node('c', { ...inZone('z3'), allocatable: { cpu: '1' } }),
    ],
    running: [running('x', 'a', asking({ cpu: '1' }), { app: 'web' })],
    pending: {
      ...asking({ cpu: '2' }),
      topologySpreadConstraints: spread(zoneKey, 'web').map((one) => ({
        ...one,
        minDomains: 3,
        nodeTaintsPolicy: 'Honor',
      })),
    },
    labels: { app: 'web' },
  },
];
