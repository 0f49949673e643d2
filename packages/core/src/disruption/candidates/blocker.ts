/** What keeps a node from being a candidate, in the order of the checks, which is Karpenter's. */
type BlockCause =
  | 'queued'
  | 'no-node-claim'
  | 'no-node'
  | 'not-initialized'
  | 'deleting'
  | 'nominated'
  | 'node-annotation'
  | 'no-node-pool-label'
  | 'no-node-pool'
  | 'pod-annotation'
  | 'multiple-pdbs'
  | 'exhausted-pdb';

export interface Blocker {
  readonly cause: BlockCause;
  /** Message of the event `DisruptionBlocked`; without one no event is published. */
  readonly message?: string;
}

/** The messages are Karpenter's, word for word: people search for them. */
export const blockers = {
  queued: { cause: 'queued' },
  noNodeClaim: { cause: 'no-node-claim' },
  noNode: { cause: 'no-node', message: 'Nodeclaim does not have an associated node' },
  notInitialized: { cause: 'not-initialized', message: "Node isn't initialized" },
  deleting: { cause: 'deleting', message: 'Node is deleting or marked for deletion' },
  nominated: { cause: 'nominated', message: 'Node is nominated for a pending pod' },
  nodeAnnotation: {
    cause: 'node-annotation',
    message: 'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
  },
  noNodePoolLabel: {
    cause: 'no-node-pool-label',
    message: "Node doesn't have required label (label=karpenter.sh/nodepool)",
  },
  noNodePool: (nodePool: string) => ({
    cause: 'no-node-pool',
    message: `NodePool not found (NodePool=${nodePool})`,
  }),
  podAnnotation: (pod: string) => ({
    cause: 'pod-annotation',
    message: `Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=${pod})`,
  }),
  multiplePdbs: (pdbs: readonly string[]) => ({
    cause: 'multiple-pdbs',
    message: `Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${pdbs.join(' ')}])`,
  }),
  exhaustedPdb: (pdb: string) => ({
    cause: 'exhausted-pdb',
    message: `Pdb prevents pod evictions (PodDisruptionBudget=[${pdb}])`,
  }),
} as const satisfies Record<string, Blocker | ((name: never) => Blocker)>;
