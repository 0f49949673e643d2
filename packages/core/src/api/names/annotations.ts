export const annotationKeys = {
  /** On pods `"true"` or a duration, on nodes `"true"`: leave it where it is. */
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  provider: 'compatibility.karpenter.sh/provider',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** When the last pods of a terminating NodeClaim are deleted, come what may. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** These three mark the virtual pods of a CapacityBuffer. */
  bufferPod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  /** Ours, on pods: start another one before this one is drained. `"true"`, or how long to wait for it. */
  surgeDrain: 'karpenter-ts/surge-drain',
  /** Ours, on Deployments: for which pod, and since when, a second one runs. */
  surgeOf: 'karpenter-ts/surge-of',
  /** Kubernetes' own: how dear it is to delete this pod among its siblings. */
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  /** Kubernetes' own: the binding of a claim to its volume is complete. */
  volumeBindCompleted: 'pv.kubernetes.io/bind-completed',
} as const;

/** On NodeClaims and on the Nodes they become: held until pods are drained and the instance is gone. */
export const terminationFinalizer = 'karpenter.sh/termination';
