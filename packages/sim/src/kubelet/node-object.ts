import type { QuantityTexts, Taint } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node, NodeCondition, NodeStatus } from 'kubernetes-types/core/v1.js';
import type { CSINode } from 'kubernetes-types/storage/v1.js';
import { hashText } from '../objects/chance.ts';
import { microTimestamp, timestamp } from '../objects/timestamp.ts';
import type { SimulatedNode } from './simulated-node.ts';

export const leaseNamespace = 'kube-node-lease';
/** As with the kubelet: four renewals, every ten seconds, must fail before the node counts as lost. */
export const leaseDurationSeconds = 40;
const defaultVersion = 'v1.36.1';

/** The part of a kubelet's state that its Node shows. */
export interface KubeletNodeState {
  readonly isReady: boolean;
  readonly hasFailed: boolean;
  readonly hasDevices: boolean;
}

export function hostIp({ name, internalIP }: SimulatedNode): string {
  if (internalIP !== undefined) return internalIP;
  const hash = hashText(name);
  return `10.${(hash >>> 16) & 0xff}.${(hash >>> 8) & 0xff}.${hash & 0xff || 1}`;
}

function ownLabels(node: SimulatedNode): Record<string, string> {
  const { name, zone, region, instanceType, architecture = 'amd64', operatingSystem = 'linux' } = node;
  return {
    'kubernetes.io/hostname': name,
    'kubernetes.io/arch': architecture,
    'kubernetes.io/os': operatingSystem,
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': operatingSystem,
    ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }),
    ...(region !== undefined && { 'topology.kubernetes.io/region': region }),
    ...(instanceType !== undefined && {
      'node.kubernetes.io/instance-type': instanceType,
      'beta.kubernetes.io/instance-type': instanceType,
    }),
  };
}

/**
 * Whether this kubelet registered the Node before it was restarted. A Node of the same name may belong to an
 * earlier instance with the same address.
 */
export function isOwnNode(node: SimulatedNode, known: Node): boolean {
  return (
    known.status?.nodeInfo?.machineID === machineId(node) &&
    (node.providerID === undefined || known.spec?.providerID === node.providerID)
  );
}

function machineId({ name }: SimulatedNode): string {
  return hex(name, 32);
}

/** The Node object with which a kubelet registers. */
export function nodeObject(node: SimulatedNode, state: KubeletNodeState, now: Instant): Node {
  const taints: Taint[] = [...(node.taints ?? [])];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels: { ...ownLabels(node), ...node.labels },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...node.annotations },
    },
    spec: {
      ...(node.providerID !== undefined && { providerID: node.providerID }),
      ...(taints.length > 0 && { taints }),
    },
    status: nodeStatus(node, state, { known: undefined, now }),
  };
}

interface ConditionHistory {
  readonly known: readonly NodeCondition[] | undefined;
  readonly now: Instant;
}

export function nodeStatus(
  node: SimulatedNode,
  state: KubeletNodeState,
  { known, now }: ConditionHistory,
): NodeStatus {
  const { name, architecture = 'amd64', operatingSystem = 'linux', kubeletVersion = defaultVersion } = node;
  const capacity = reported(node, node.capacity, state);
  return {
    capacity,
    allocatable: reported(node, node.allocatable ?? node.capacity, state),
    conditions: conditionsOf(state, known, now),
    addresses: [
      { type: 'InternalIP', address: hostIp(node) },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture,
      operatingSystem,
      kubeletVersion,
      kubeProxyVersion: kubeletVersion,
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '6.12.0',
      osImage: 'Simulated Linux',
      machineID: machineId(node),
      systemUUID: hex(`${name} system`, 32),
      bootID: hex(`${name} boot`, 32),
    },
  };
}

/** Leaves out devices until their device plugin has reported. */
function reported(
  node: SimulatedNode,
  amounts: QuantityTexts,
  { hasDevices }: KubeletNodeState,
): Record<string, string> {
  const late = new Set(hasDevices ? [] : (node.devices?.names ?? []));
  const entries = Object.entries(amounts).filter(([name]) => !late.has(name));
  return Object.fromEntries(entries.map(([name, amount]) => [name, String(amount)]));
}

function hex(text: string, length: number): string {
  let digits = '';
  for (let part = 0; digits.length < length; part += 1) {
    digits += hashText(`${text}${part}`).toString(16).padStart(8, '0');
  }
  return digits.slice(0, length);
}

function conditionsOf(
  { isReady, hasFailed }: KubeletNodeState,
  known: readonly NodeCondition[] | undefined,
  now: Instant,
): NodeCondition[] {
  const healthy = (type: string, resource: string) => ({
    type,
    status: 'False',
    reason: `KubeletHas${resource}`,
    message: `kubelet has ${resource === 'NoDiskPressure' ? 'no disk pressure' : `sufficient ${type === 'MemoryPressure' ? 'memory' : 'PID'} available`}`,
  });
  return [
    healthy('MemoryPressure', 'SufficientMemory'),
    healthy('DiskPressure', 'NoDiskPressure'),
    healthy('PIDPressure', 'SufficientPID'),
    readiness(isReady, hasFailed),
  ].map((condition) => stamp(condition, known, now));
}

function readiness(isReady: boolean, hasFailed: boolean) {
  const type = 'Ready';
  if (isReady && !hasFailed) {
    return { type, status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
  }
  const message = hasFailed
    ? 'PLEG is not healthy: pleg was last seen active 3m0s ago; threshold is 3m0s'
    : 'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
  return { type, status: 'False', reason: 'KubeletNotReady', message };
}

function stamp(
  condition: Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>,
  known: readonly NodeCondition[] | undefined,
  now: Instant,
): NodeCondition {
  const before = known?.find(({ type }) => type === condition.type);
  const kept = before?.status === condition.status ? before.lastTransitionTime : undefined;
  return { ...condition, lastHeartbeatTime: timestamp(now), lastTransitionTime: kept ?? timestamp(now) };
}

export function leaseObject(node: Node, now: Instant): Lease {
  const { name = '', uid = '' } = node.metadata ?? {};
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: leaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime: microTimestamp(now) },
  };
}

export function csiNodeObject({ name, csiDrivers = [] }: SimulatedNode, node: Node): CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata?.uid ?? '' }],
    },
    spec: {
      drivers: csiDrivers.map((driver) => ({
        name: driver.name,
        nodeID: name,
        topologyKeys: [...(driver.topologyKeys ?? [])],
        ...(driver.limit !== undefined && { allocatable: { count: driver.limit } }),
      })),
    },
  };
}
