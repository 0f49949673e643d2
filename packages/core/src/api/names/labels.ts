// Label keys that the product reads or writes, and their values.

export const labelKeys = {
  nodePool: 'karpenter.sh/nodepool',
  initialized: 'karpenter.sh/initialized',
  registered: 'karpenter.sh/registered',
  /** `"true"` on a Node: do not copy the taints of its NodeClaim to it. */
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  capacityType: 'karpenter.sh/capacity-type',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  architecture: 'kubernetes.io/arch',
  operatingSystem: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  hostname: 'kubernetes.io/hostname',
  /** Set on nodes that are being deleted, so that load balancers stop sending traffic to them. */
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
  /** Ours, on Deployments that run a second pod while their only one is drained. */
  surging: 'karpenter-ts/surging',
} as const;

export const excludeFromLoadBalancersValue = 'karpenter';

export const capacityTypes = { spot: 'spot', onDemand: 'on-demand', reserved: 'reserved' } as const;
export type CapacityType = (typeof capacityTypes)[keyof typeof capacityTypes];

/** Labels that instance types define, so that pods and NodePools may require them of new nodes. */
export const wellKnownLabels: ReadonlySet<string> = new Set([
  labelKeys.nodePool,
  labelKeys.capacityType,
  labelKeys.zone,
  labelKeys.region,
  labelKeys.instanceType,
  labelKeys.architecture,
  labelKeys.operatingSystem,
  labelKeys.windowsBuild,
]);

/** Deprecated keys that Kubernetes still sets, and the keys they are read as. */
export const labelAliases: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', labelKeys.zone],
  ['failure-domain.beta.kubernetes.io/region', labelKeys.region],
  ['beta.kubernetes.io/arch', labelKeys.architecture],
  ['beta.kubernetes.io/os', labelKeys.operatingSystem],
  ['beta.kubernetes.io/instance-type', labelKeys.instanceType],
]);

/** The label of NodeClaims and Nodes that names their NodeClass. */
export function nodeClassLabelKey(nodeClass: { readonly group: string; readonly kind: string }): string {
  return `${nodeClass.group}/${nodeClass.kind.toLowerCase()}`;
}
