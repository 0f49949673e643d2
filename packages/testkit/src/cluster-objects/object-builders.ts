import type { NodeClaim, RequirementField } from '@karpenter/core/api';
import type { PodSpecView } from '@karpenter/core/scheduling';
import type { ClusterNode, ClusterPod, DaemonSet, PodDisruptionBudget } from '@karpenter/core/state';
import type { Labels, QuantityTexts, Taint } from '@karpenter/core/values';

interface MetaParts {
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly version?: number;
  readonly uid?: string;
  readonly created?: string;
  readonly deleted?: string;
}

/** `metadata` as an API server fills it in; the uid defaults to the name. */
function meta(name: string, { labels, annotations, version, uid = name, created, deleted }: MetaParts) {
  return {
    name,
    uid,
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ...(version !== undefined && { resourceVersion: String(version) }),
    ...(created !== undefined && { creationTimestamp: created }),
    ...(deleted !== undefined && { deletionTimestamp: deleted }),
  };
}

const defaultCapacity: QuantityTexts = { cpu: '4', memory: '16Gi', pods: '110' };
export const nodePoolLabel = 'karpenter.sh/nodepool';

export interface NodeParts extends MetaParts {
  /** Adds the labels of an initialized node of this NodePool. */
  readonly pool?: string;
  readonly providerID?: string;
  readonly taints?: readonly Taint[];
  readonly capacity?: QuantityTexts;
  readonly allocatable?: QuantityTexts;
}

function nodeLabels(pool: string | undefined): Labels {
  if (pool === undefined) return {};
  return {
    [nodePoolLabel]: pool,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'node.kubernetes.io/instance-type': 'm5.xlarge',
  };
}

/** A Node of 4 CPUs. With a NodePool it is initialized, unless the labels say otherwise. */
export function node(name: string, parts: NodeParts = {}): ClusterNode {
  const {
    pool,
    providerID = `cloud://${name}`,
    taints,
    capacity = defaultCapacity,
    allocatable = capacity,
  } = parts;
  return {
    metadata: meta(name, { ...parts, labels: { ...nodeLabels(pool), ...parts.labels } }),
    spec: { ...(providerID !== '' && { providerID }), ...(taints !== undefined && { taints }) },
    status: { capacity, allocatable },
  };
}

export interface ClaimParts extends MetaParts {
  readonly pool?: string;
  /** Absent on a NodeClaim that is not launched. */
  readonly providerID?: string;
  readonly nodeName?: string;
  readonly taints?: NodeClaim['spec']['taints'];
  readonly startupTaints?: NodeClaim['spec']['startupTaints'];
  readonly requirements?: readonly RequirementField[];
  readonly requests?: QuantityTexts;
  readonly capacity?: QuantityTexts;
  readonly conditions?: readonly string[];
}

/** A NodeClaim for pods of 1 CPU, launched if it has a provider ID. The given conditions are True. */
export function claim(name: string, parts: ClaimParts = {}): NodeClaim {
  const { pool = 'default', providerID, nodeName, taints, startupTaints, requirements = [] } = parts;
  const { requests = { cpu: '1' }, capacity = defaultCapacity, conditions = [] } = parts;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: meta(name, {
      ...parts,
      labels: { ...(pool !== '' && { [nodePoolLabel]: pool }), ...parts.labels },
    }),
    spec: {
      requirements,
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: '720h',
      resources: { requests },
      ...(taints !== undefined && { taints }),
      ...(startupTaints !== undefined && { startupTaints }),
    },
    status: {
      ...(nodeName !== undefined && { nodeName }),
      ...(providerID !== undefined && { providerID, capacity, allocatable: capacity }),
      conditions: conditions.map((type) => ({
        type,
        status: 'True' as const,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  };
}

export interface BoundPodParts extends MetaParts, Omit<Partial<PodSpecView>, 'containers'> {
  readonly namespace?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly ports?: readonly number[];
  /** `Kind/name` of the controlling owner. */
  readonly owner?: string;
  readonly phase?: string;
  readonly startTime?: string;
  readonly isReady?: boolean;
}

function pod(name: string, parts: BoundPodParts, nodeName?: string): ClusterPod {
  const {
    labels: _labels,
    annotations: _annotations,
    version: _version,
    created: _created,
    deleted: _deleted,
    ...rest
  } = parts;
  const { uid, owner, phase, startTime, isReady, ...placement } = rest;
  const { namespace = 'default', cpu = '1', memory = '1Gi', ports = [], ...spec } = placement;
  const isBound = nodeName !== undefined;
  const conditions = [
    ...(isBound ? [] : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }]),
    ...(isReady === undefined ? [] : [{ type: 'Ready', status: isReady ? 'True' : 'False' }]),
  ];
  return {
    metadata: {
      ...meta(name, parts),
      namespace,
      uid: uid ?? `${namespace}/${name}`,
      ...(owner !== undefined && { ownerReferences: ownerReferences(owner) }),
    },
    spec: {
      ...spec,
      ...(isBound && { nodeName }),
      containers: [
        { resources: { requests: { cpu, memory } }, ports: ports.map((hostPort) => ({ hostPort })) },
      ],
    },
    status: {
      phase: phase ?? (isBound ? 'Running' : 'Pending'),
      ...(startTime !== undefined && { startTime }),
      conditions,
    },
  };
}

const apiVersions: Readonly<Record<string, string>> = { Node: 'v1', Job: 'batch/v1' };

function ownerReferences(owner: string) {
  const [kind = '', name = ''] = owner.split('/');
  return [{ apiVersion: apiVersions[kind] ?? 'apps/v1', kind, name, uid: owner, controller: true }];
}

/** A running pod of 1 CPU, bound to a node. */
export function boundPod(name: string, nodeName: string, parts: BoundPodParts = {}): ClusterPod {
  return pod(name, parts, nodeName);
}

/** A pod of 1 CPU that kube-scheduler has marked unschedulable. */
export function pendingPod(name: string, parts: BoundPodParts = {}): ClusterPod {
  return pod(name, parts);
}

export function daemonSet(name: string, spec: Partial<PodSpecView> = {}): DaemonSet {
  return {
    metadata: { name, namespace: 'default', uid: name },
    spec: { template: { spec: { containers: [], ...spec } } },
  };
}

export function budget(
  name: string,
  spec: PodDisruptionBudget['spec'] = {},
  { namespace = 'default' } = {},
): PodDisruptionBudget {
  return { metadata: { name, namespace, uid: `${namespace}/${name}` }, spec: { selector: {}, ...spec } };
}
