export const annotationKeys = {
  /** Protects from disruption: `"true"` or a duration on pods, `"true"` on nodes. */
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  provider: 'compatibility.karpenter.sh/provider',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** When the terminationGracePeriod of a NodeClaim ends and its last pods are deleted. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** These three mark the virtual pods of a CapacityBuffer. */
  bufferPod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  /** Ours, on NodeClaims: how many pods the node was sized for that did not exist yet, and whose. */
  upcomingPods: 'karpenter-ts/upcoming-pods',
  /** Ours, on pods: start another pod before this one is drained. `"true"`, or how long to wait for it. */
  surgeDrain: 'karpenter-ts/surge-drain',
  /** Ours, on Deployments: for which pod, and since when, a second one runs. */
  surgeOf: 'karpenter-ts/surge-of',
  /** Kubernetes' own: cost of deleting this pod compared with others of its ReplicaSet. */
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  /** Kubernetes' own: a PersistentVolumeClaim is fully bound to its volume. */
  volumeBindCompleted: 'pv.kubernetes.io/bind-completed',
} as const;

/** On NodeClaims and their Nodes: held until the node is drained and the instance is gone. */
export const terminationFinalizer = 'karpenter.sh/termination';
