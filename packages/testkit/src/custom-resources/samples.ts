import type { JsonObject } from '@karpenter/core/schema';

/**
 * Objects that the API accepts. Together they set every property of every kind, so that each constraint of
 * the schemas has an object that meets it and can be changed to violate it.
 */
export interface CustomResourceSample {
  readonly title: string;
  readonly object: JsonObject;
}

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const condition = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2026-11-15T03:31:56Z',
  observedGeneration: 1,
  reason: 'Ready',
  message: '',
};
const requirements = [
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'], minValues: 2 },
  { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
  { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lte', values: ['64'] },
  { key: 'team', operator: 'NotIn', values: ['b'] },
  { key: 'example.com/dedicated', operator: 'Exists' },
];
const taints = [
  { key: 'example.com/special', value: 'yes', effect: 'NoSchedule', timeAdded: '2026-11-15T03:31:56Z' },
  { key: 'gpu', effect: 'NoExecute' },
];
const startupTaints = [
  {
    key: 'node.cilium.io/agent-not-ready',
    value: 'true',
    effect: 'NoExecute',
    timeAdded: '2026-11-15T03:31:56Z',
  },
];

export const nodePool: JsonObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      metadata: { labels: { team: 'a' }, annotations: { note: 'any text at all!' } },
      spec: {
        requirements,
        nodeClassRef,
        taints,
        startupTaints,
        terminationGracePeriod: '1h30m',
        expireAfter: '720h',
      },
    },
    disruption: {
      consolidateAfter: '30s',
      consolidationPolicy: 'Balanced',
      budgets: [
        { nodes: '10%' },
        { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h', reasons: ['Drifted', 'Underutilized'] },
      ],
    },
    limits: { cpu: '1000', memory: '1000Gi', nodes: 50 },
    weight: 10,
  },
  status: {
    resources: { cpu: '5', memory: '7680Mi' },
    nodes: 1,
    nodeClassObservedGeneration: 1,
    conditions: [condition],
  },
};

export const staticNodePool: JsonObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'static' },
  spec: {
    template: { spec: { requirements: [], nodeClassRef } },
    replicas: 3,
    limits: { nodes: '5' },
  },
};

export const nodeClaim: JsonObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'general-x7k2p' },
  spec: {
    requirements,
    nodeClassRef,
    resources: { requests: { cpu: '5', memory: '7680Mi', pods: 5 } },
    taints,
    startupTaints,
    terminationGracePeriod: '1h',
    expireAfter: 'Never',
  },
  status: {
    nodeName: 'ip-10-0-0-1.ec2.internal',
    providerID: 'aws:///us-west-2a/i-0123456789abcdef0',
    imageID: 'ami-0123456789abcdef0',
    capacity: { cpu: '8' },
    allocatable: { cpu: '7910m' },
    lastPodEventTime: '2026-11-15T03:31:56Z',
    conditions: [
      condition,
      { type: 'Launched', status: 'Unknown', lastTransitionTime: '2026-11-15T03:31:56Z' },
    ],
  },
};

export const nodeOverlay: JsonObject = {
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name: 'discount' },
  spec: {
    requirements: requirements.map(({ minValues: _, ...requirement }) => requirement),
    priceAdjustment: '-25%',
    capacity: { 'smarter-devices/fuse': '1' },
    weight: 10000,
  },
  status: { conditions: [condition] },
};

const pricedNodeOverlay: JsonObject = {
  ...nodeOverlay,
  spec: { requirements: [], price: '0.25' },
};

export const capacityBuffer: JsonObject = {
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name: 'headroom', namespace: 'default' },
  spec: {
    provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    podTemplateRef: { name: 'web' },
    replicas: 3,
    limits: { cpu: '10' },
  },
  status: {
    podTemplateRef: { name: 'web' },
    replicas: 3,
    podTemplateGeneration: 1,
    provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    conditions: [{ ...condition, type: 'ReadyForProvisioning', reason: 'Resolved' }],
  },
};

const scalingCapacityBuffer: JsonObject = {
  ...capacityBuffer,
  spec: { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' }, percentage: 20 },
};

export const ec2NodeClass: JsonObject = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }, { id: 'subnet-0123456789abcdef0' }],
    securityGroupSelectorTerms: [
      { tags: { 'karpenter.sh/discovery': '*' } },
      { id: 'sg-0123456789abcdef0' },
      { name: 'nodes' },
    ],
    capacityReservationSelectorTerms: [
      { tags: { purpose: 'batch' }, ownerID: '123456789012', instanceMatchCriteria: 'open' },
      { id: 'cr-0123456789abcdef0' },
    ],
    placementGroupSelector: { name: 'close' },
    associatePublicIPAddress: false,
    ipPrefixCount: 0,
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    amiFamily: 'AL2023',
    userData: 'echo hello',
    role: 'KarpenterNodeRole-dev',
    tags: { team: 'a', empty: '' },
    kubelet: {
      clusterDNS: ['10.0.100.10'],
      maxPods: 110,
      podsPerCore: 4,
      systemReserved: { cpu: '100m', memory: '100Mi' },
      kubeReserved: { cpu: '200m', 'ephemeral-storage': '1Gi', pid: '1000' },
      evictionHard: { 'memory.available': '5%', 'nodefs.available': '10.25%', 'pid.available': '' },
      evictionSoft: { 'memory.available': '500Mi' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      evictionMaxPodGracePeriod: 60,
      imageGCHighThresholdPercent: 85,
      imageGCLowThresholdPercent: 80,
      cpuCFSQuota: true,
    },
    blockDeviceMappings: [
      {
        deviceName: '/dev/xvda',
        rootVolume: true,
        ebs: {
          deleteOnTermination: true,
          encrypted: true,
          iops: 3000,
          kmsKeyID: 'alias/key',
          snapshotID: 'snap-0123456789abcdef0',
          throughput: 125,
          volumeInitializationRate: 100,
          volumeSize: '100Gi',
          volumeType: 'gp3',
        },
      },
      { deviceName: '/dev/xvdb', rootVolume: false },
    ],
    instanceStorePolicy: 'RAID0',
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
    ],
    detailedMonitoring: true,
    metadataOptions: {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 2,
      httpTokens: 'required',
    },
    connectionTracking: { tcpEstablishedTimeout: 300, udpStreamTimeout: 90, udpTimeout: 45 },
    context: 'context-1',
    cpuOptions: { nestedVirtualization: 'enabled' },
  },
  status: {
    subnets: [{ id: 'subnet-1', zone: 'us-west-2a', zoneID: 'usw2-az1' }],
    securityGroups: [{ id: 'sg-1', name: 'nodes' }],
    amis: [
      {
        id: 'ami-1',
        name: 'al2023',
        deprecated: false,
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
      },
    ],
    capacityReservations: [
      {
        id: 'cr-1',
        availabilityZone: 'us-west-2a',
        instanceType: 'm5.large',
        instanceMatchCriteria: 'targeted',
        ownerID: '123456789012',
        endTime: '2026-12-01T00:00:00Z',
        interruptible: false,
        reservationType: 'default',
        state: 'active',
      },
    ],
    instanceProfile: 'dev_1234',
    conditions: [condition],
  },
};

/**
 * Images selected by everything except an alias, an existing instance profile, and a placement group by id.
 */
export const ec2NodeClassWithImages: JsonObject = {
  ...ec2NodeClass,
  spec: {
    subnetSelectorTerms: [{ id: 'subnet-1' }],
    securityGroupSelectorTerms: [{ name: 'nodes' }],
    placementGroupSelector: { id: 'pg-0123456789abcdef0' },
    amiSelectorTerms: [
      { tags: { team: 'a' } },
      { id: 'ami-0123456789abcdef0' },
      { name: 'my-image-*', owner: 'self' },
      { ssmParameter: '/images/latest' },
    ],
    amiFamily: 'Custom',
    instanceProfile: 'nodes',
  },
};

export const samples: readonly CustomResourceSample[] = [
  { title: 'a NodePool with every property', object: nodePool },
  { title: 'a static NodePool', object: staticNodePool },
  { title: 'a NodeClaim with every property', object: nodeClaim },
  { title: 'a NodeOverlay that adjusts', object: nodeOverlay },
  { title: 'a NodeOverlay that replaces the price', object: pricedNodeOverlay },
  { title: 'a CapacityBuffer of a pod template', object: capacityBuffer },
  { title: 'a CapacityBuffer of a workload', object: scalingCapacityBuffer },
  { title: 'an EC2NodeClass with every property', object: ec2NodeClass },
  { title: 'an EC2NodeClass that selects images', object: ec2NodeClassWithImages },
];
