import type { EC2NodeClass } from '@karpenter/aws';
import type { NodeClaim, NodePool } from '@karpenter/core/api';

/** The hashes and their versions, as Karpenter writes them on NodePools, NodeClasses and NodeClaims. */
export interface Stamps {
  readonly nodePool: { readonly hash: string; readonly version: string };
  readonly nodeClass: { readonly hash: string; readonly version: string };
}

export const tags = { team: 'shop' } as const;
export const role = 'KarpenterNodeRole-dev';
export const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } as const;
export const expireAfterHours = 720;

const discovered = [{ tags: { 'karpenter.sh/discovery': 'dev' } }];

const nodePoolStamps = ({ nodePool }: Stamps) => ({
  'karpenter.sh/nodepool-hash': nodePool.hash,
  'karpenter.sh/nodepool-hash-version': nodePool.version,
});
const nodeClassStamps = ({ nodeClass }: Stamps) => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': nodeClass.hash,
  'karpenter.k8s.aws/ec2nodeclass-hash-version': nodeClass.version,
});

export function nodePool(stamps: Stamps): NodePool {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default', annotations: nodePoolStamps(stamps) },
    spec: {
      template: {
        spec: {
          nodeClassRef,
          expireAfter: `${expireAfterHours}h`,
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          ],
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmpty',
        consolidateAfter: '30s',
        budgets: [{ nodes: '100%' }],
      },
    },
  };
}

export function nodeClass(stamps: Stamps): EC2NodeClass {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: {
      name: 'default',
      annotations: nodeClassStamps(stamps),
      finalizers: ['karpenter.k8s.aws/termination'],
    },
    spec: {
      role,
      tags,
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: discovered,
      securityGroupSelectorTerms: discovered,
      // As the API server fills them in.
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIPv6: 'disabled',
        httpPutResponseHopLimit: 1,
        httpTokens: 'required',
      },
    },
  };
}

/** An instance that Karpenter launched and whose Node it registered. */
export interface LaunchedInstance {
  readonly nodeClaim: string;
  readonly id: string;
  readonly nodeName: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly imageId: string;
  readonly instanceProfile: string;
}

/** The labels of an m5.large. */
export function labelsOf({ zone, zoneId }: LaunchedInstance): Readonly<Record<string, string>> {
  return {
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'karpenter.k8s.aws/instance-capability-flex': 'false',
    'karpenter.k8s.aws/instance-category': 'm',
    'karpenter.k8s.aws/instance-cpu': '2',
    'karpenter.k8s.aws/instance-cpu-manufacturer': 'intel',
    'karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz': '3100',
    'karpenter.k8s.aws/instance-ebs-bandwidth': '4750',
    'karpenter.k8s.aws/instance-encryption-in-transit-supported': 'false',
    'karpenter.k8s.aws/instance-family': 'm5',
    'karpenter.k8s.aws/instance-generation': '5',
    'karpenter.k8s.aws/instance-hypervisor': 'nitro',
    'karpenter.k8s.aws/instance-memory': '8192',
    'karpenter.k8s.aws/instance-network-bandwidth': '750',
    'karpenter.k8s.aws/instance-size': 'large',
    'karpenter.k8s.aws/instance-tenancy': 'default',
    'karpenter.sh/capacity-type': 'on-demand',
    'karpenter.sh/nodepool': 'default',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': 'm5.large',
    'topology.k8s.aws/zone-id': zoneId,
    'topology.kubernetes.io/region': 'us-west-2',
    'topology.kubernetes.io/zone': zone,
  };
}

export function annotationsOf(
  { instanceProfile }: LaunchedInstance,
  stamps: Stamps,
): Readonly<Record<string, string>> {
  return {
    ...nodePoolStamps(stamps),
    ...nodeClassStamps(stamps),
    'karpenter.k8s.aws/instance-profile-name': instanceProfile,
    'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
  };
}

export function nodeClaim(instance: LaunchedInstance, stamps: Stamps, poolUid: string): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: instance.nodeClaim,
      generateName: 'default-',
      finalizers: ['karpenter.sh/termination'],
      labels: labelsOf(instance),
      annotations: {
        ...annotationsOf(instance, stamps),
        'karpenter.k8s.aws/tagged': 'true',
        'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
      },
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          name: 'default',
          uid: poolUid,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      expireAfter: `${expireAfterHours}h`,
      nodeClassRef,
      requirements: [
        { key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'In', values: ['default'] },
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'm5a.large'] },
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      ],
      resources: { requests: { cpu: '1', memory: '1Gi', pods: '1' } },
    },
  };
}

/** The status of a NodeClaim that is ready. */
export function claimStatus(instance: LaunchedInstance, at: string): NodeClaim['status'] {
  const types = ['Launched', 'Registered', 'Initialized', 'ConsistentStateFound', 'Ready'];
  return {
    nodeName: instance.nodeName,
    providerID: `aws:///${instance.zone}/${instance.id}`,
    imageID: instance.imageId,
    capacity: {
      cpu: '2',
      'ephemeral-storage': '20Gi',
      memory: '7577Mi',
      pods: '29',
      'vpc.amazonaws.com/pod-eni': '9',
    },
    allocatable: {
      cpu: '1930m',
      'ephemeral-storage': '17Gi',
      memory: '6903Mi',
      pods: '29',
      'vpc.amazonaws.com/pod-eni': '9',
    },
    conditions: types.map((type) => ({
      type,
      status: 'True',
      reason: type,
      message: '',
      lastTransitionTime: at,
      observedGeneration: 1,
    })),
  };
}
