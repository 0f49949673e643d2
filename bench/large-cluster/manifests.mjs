import { nodeClass } from '../controllers/manifests.mjs';
import { instanceAt, nodePoolName } from './instances.mjs';

const since = '2026-01-01T00:00:00Z';
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass.metadata.name };
const capacity = {
  cpu: '8',
  memory: '31482Mi',
  pods: '58',
  'ephemeral-storage': '20Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
};
const allocatable = { ...capacity, cpu: '7910m', memory: '30467Mi', 'ephemeral-storage': '17Gi' };
const condition = (type, reason = type) => ({
  type,
  status: 'True',
  reason,
  message: '',
  lastTransitionTime: since,
});

export const nodePool = (index) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: nodePoolName(index) },
  spec: {
    template: {
      metadata: { labels: { team: `team-${index}` } },
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['5'] },
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '0s',
      budgets: [{ nodes: '5' }],
    },
  },
});

const labels = (index) => {
  const { type, family, generation, zone, nodePool: pool } = instanceAt(index);
  return {
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'karpenter.k8s.aws/instance-category': 'm',
    'karpenter.k8s.aws/instance-cpu': '8',
    'karpenter.k8s.aws/instance-cpu-manufacturer': 'intel',
    'karpenter.k8s.aws/instance-ebs-bandwidth': '10000',
    'karpenter.k8s.aws/instance-encryption-in-transit-supported': 'true',
    'karpenter.k8s.aws/instance-family': family,
    'karpenter.k8s.aws/instance-generation': generation,
    'karpenter.k8s.aws/instance-hypervisor': 'nitro',
    'karpenter.k8s.aws/instance-memory': '32768',
    'karpenter.k8s.aws/instance-size': '2xlarge',
    'karpenter.sh/capacity-type': 'on-demand',
    'karpenter.sh/nodepool': pool,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': type,
    team: `team-${pool.slice('pool-'.length)}`,
    'topology.kubernetes.io/region': 'us-west-2',
    'topology.kubernetes.io/zone': zone,
  };
};

const providerID = ({ zone, id }) => `aws:///${zone}/${id}`;

export function nodeClaim(index, nodePoolUid) {
  const { name, nodePool: pool } = instanceAt(index);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      labels: labels(index),
      annotations: {
        'karpenter.k8s.aws/tagged': 'true',
        'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
      },
      finalizers: ['karpenter.sh/termination'],
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          name: pool,
          uid: nodePoolUid,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeClassRef,
      expireAfter: 'Never',
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [instanceAt(index).type] },
        { key: 'karpenter.sh/nodepool', operator: 'In', values: [pool] },
      ],
      resources: { requests: { cpu: '7', memory: '20Gi', pods: '20' } },
    },
  };
}

export function claimStatus(index, imageID) {
  return {
    providerID: providerID(instanceAt(index)),
    imageID,
    nodeName: instanceAt(index).nodeName,
    capacity,
    allocatable,
    conditions: [
      'Launched',
      'Registered',
      'Initialized',
      'Consolidatable',
      'ConsistentStateFound',
      'Ready',
    ].map((type) => ({ ...condition(type), observedGeneration: 1 })),
  };
}

export function node(index) {
  const { nodeName } = instanceAt(index);
  return {
    metadata: {
      name: nodeName,
      labels: {
        ...labels(index),
        'kubernetes.io/hostname': nodeName,
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
      },
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      finalizers: ['karpenter.sh/termination'],
    },
    spec: { providerID: providerID(instanceAt(index)) },
    status: {
      capacity,
      allocatable,
      conditions: [
        condition('Ready', 'KubeletReady'),
        ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
          ...condition(type, `KubeletHasNo${type}`),
          status: 'False',
        })),
      ],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: nodeName },
      ],
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.1',
        kubeProxyVersion: 'v1.36.1',
        containerRuntimeVersion: 'containerd://2.1.4',
        kernelVersion: '6.12.0',
        osImage: 'Amazon Linux 2023',
        machineID: 'none',
        systemUUID: 'none',
        bootID: 'none',
      },
    },
  };
}

/** Twenty of these pods fill a node: 85 % of its CPU is requested. */
const sizes = [
  { cpu: '250m', memory: '512Mi' },
  { cpu: '300m', memory: '1Gi' },
  { cpu: '350m', memory: '1536Mi' },
  { cpu: '450m', memory: '2Gi' },
];
const largeSize = { cpu: '14', memory: '24Gi' };
/** More than the nodes have left, whichever of their pods are replaced by others. */
const burstSize = { cpu: '4', memory: '8Gi' };
/** Labels of pods that need a new node. */
export const needsNewNode = { 'needs-new-node': 'true' };
export const appCount = 200;

export const replicaSet = (index) => {
  const labels = { app: `app-${index}` };
  return {
    metadata: { name: `app-${index}`, namespace: 'default' },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
      },
    },
  };
};

/** The owners are stored ReplicaSets: the garbage collector deletes pods whose owner does not exist. */
export function pod(index, owners, nodeName) {
  const owner = owners[index % appCount];
  return podOf({ name: `app-${index}`, owner, nodeName, requests: sizes[index % sizes.length] });
}

/** A pod that fits on no existing node. */
export function largePod(index, owners) {
  const name = `large-${index}`;
  return podOf({ name, owner: owners[index % 10], requests: largeSize, labels: needsNewNode });
}

/** One of many pods that are created together and fit on no existing node. */
export function burstPod(index, owners) {
  const name = `burst-${index}`;
  return podOf({ name, owner: owners[index % 10], requests: burstSize, labels: needsNewNode });
}

function podOf({ name, owner, nodeName, requests, labels = {} }) {
  const app = owner.metadata.name;
  return {
    metadata: {
      name,
      namespace: 'default',
      labels: { app, 'app.kubernetes.io/name': app, 'pod-template-hash': '6d4cf56db6', ...labels },
      annotations: { 'kubectl.kubernetes.io/restartedAt': since },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: app,
          uid: owner.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'main',
          image: `registry.example/${app}:1.2.3`,
          env: [
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          ],
          ports: [{ name: 'http', containerPort: 8080 }],
          resources: { requests },
          livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets/tokens', readOnly: true }],
        },
      ],
      volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
    },
  };
}

export const runningStatus = {
  phase: 'Running',
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  hostIP: '10.0.0.2',
  qosClass: 'Burstable',
  startTime: since,
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: since,
  })),
  containerStatuses: [
    {
      name: 'main',
      image: 'registry.example/app:1.2.3',
      imageID: 'registry.example/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      containerID: 'containerd://9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: since } },
    },
  ],
};

export const unschedulable = {
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0 nodes are available',
      lastTransitionTime: since,
    },
  ],
};
export { nodeClass };
