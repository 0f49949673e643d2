/** Label keys that the product reads or writes, and the values it gives them. */

export const labelKeys = {
  nodePool: 'karpenter.sh/nodepool',
  initialized: 'karpenter.sh/initialized',
  registered: 'karpenter.sh/registered',
  /** `"true"` on a Node: taints of its NodeClaim are not copied to it. */
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  capacityType: 'karpenter.sh/capacity-type',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  architecture: 'kubernetes.io/arch',
  operatingSystem: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  hostname: 'kubernetes.io/hostname',
  /** Put on nodes that are going away, so that load balancers let go of them. */
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
  /** Ours, on Deployments that run a second pod while their only one is drained. */
  surging: 'karpenter-ts/surging',
} as const;

export const excludeFromLoadBalancersValue = 'karpenter';

export const capacityTypes = { spot: 'spot', onDemand: 'on-demand', reserved: 'reserved' } as const;
export type CapacityType = (typeof capacityTypes)[keyof typeof capacityTypes];

/** Labels that instance types answer for, so that pods and NodePools may require them of nodes not yet made. */
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

/** Old keys that Kubernetes still sets, and the keys that they are read as. */
export const labelAliases: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', labelKeys.zone],
  ['failure-domain.beta.kubernetes.io/region', labelKeys.region],
  ['beta.kubernetes.io/arch', labelKeys.architecture],
  ['beta.kubernetes.io/os', labelKeys.operatingSystem],
  ['beta.kubernetes.io/instance-type', labelKeys.instanceType],
]);

/** The label that NodeClaims and Nodes carry for the class they were made from; its value is the class's name. */
export function nodeClassLabelKey(nodeClass: { readonly group: string; readonly kind: string }): string {
  return `${nodeClass.group}/${nodeClass.kind.toLowerCase()}`;
}
