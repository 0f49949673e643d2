import type { UpcomingCount } from '../scheduling/index.ts';

/**
 * One decision of the controllers, as people and programs read it: what was decided, for which objects, why and
 * for how much money. Plain data that JSON holds as it is. Times are milliseconds since 1970, prices dollars per
 * hour.
 */
export type Decision = PlanDecision | LaunchDecision | DisruptionDecision | RefusalDecision | NoticeDecision;

export type DecisionKind = Decision['kind'];

interface DecisionFacts {
  /** Unique over restarts and leaders, and sorted by time as text. */
  readonly id: string;
  readonly at: number;
  /** One sentence for people. */
  readonly summary: string;
  /** Whether the cluster that it was made from is kept, so that `karpenter replay` can plan again. */
  readonly isReplayable: boolean;
  /** How often the same was decided again since; absent if never. */
  readonly repeats?: number;
  /** When it was last decided again. */
  readonly lastAt?: number;
}

/**
 * A provisioning pass that found pods to place. Long lists are shortened (`decisionBounds`); the count beside a
 * list is present if that list is shortened.
 */
export interface PlanDecision extends DecisionFacts {
  readonly kind: 'plan';
  readonly pods: number;
  readonly durationMs: number;
  readonly newNodes: readonly PlannedNodeFacts[];
  readonly newNodeCount?: number;
  /** Pods that go to nodes that exist or are under way. */
  readonly placements: readonly PlacementFacts[];
  readonly placementCount?: number;
  readonly rejected: readonly { readonly pod: string; readonly message: string }[];
  readonly rejectedCount?: number;
  /** Of all new nodes. */
  readonly hourly: number;
}

interface PlacementFacts {
  readonly node: string;
  /** `namespace/name`. */
  readonly pods: readonly string[];
  readonly podCount?: number;
}

export interface PlannedNodeFacts {
  /** Absent if it could not be created. */
  readonly nodeClaim?: string;
  /** Why it could not be created. */
  readonly failure?: string;
  readonly nodePool: string;
  /** The cheapest first; shortened, with `typeCount` of them in all. */
  readonly instanceTypes: readonly string[];
  readonly typeCount: number;
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Of the cheapest offering. */
  readonly hourly: number;
  /** `namespace/name`. */
  readonly pods: readonly string[];
  readonly podCount?: number;
  /** Pods that the node was sized for although they did not exist yet, by workload; absent if there were none. */
  readonly upcomingPods?: readonly UpcomingCount[];
}

/** The launch of a NodeClaim: the instance that EC2 gave, or why it gave none. */
export interface LaunchDecision extends DecisionFacts {
  readonly kind: 'launch';
  readonly nodeClaim: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly hourly?: number;
  /** Why the launch failed; absent on success. */
  readonly failure?: string;
}

/** A disruption command that begins: nodes leave, others may take their place. */
export interface DisruptionDecision extends DecisionFacts {
  readonly kind: 'disruption';
  /** As in the metric label: `underutilized`, `empty`, `drifted`, ... */
  readonly reason: string;
  readonly consolidationType?: string;
  readonly nodes: readonly DisruptedNodeFacts[];
  readonly nodeCount?: number;
  readonly replacements: readonly PlannedNodeFacts[];
  readonly replacementCount?: number;
  readonly movedPods: number;
  /** Dollars per hour; negative if the replacement costs more. */
  readonly savings?: number;
}

export interface DisruptedNodeFacts {
  readonly node: string;
  readonly nodeClaim: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly hourly?: number;
  readonly pods: number;
}

/** Why something is not done: a node that is kept, a budget that allows nothing, a command that was given up. */
interface RefusalDecision extends DecisionFacts {
  readonly kind: 'refusal';
  readonly object: ObjectName;
  /** As in the event: `DisruptionBlocked`, `Unconsolidatable`, ... */
  readonly reason: string;
  readonly message: string;
}

/** What happened to an instance without us: an interruption, a failed health check, a vanished instance. */
interface NoticeDecision extends DecisionFacts {
  readonly kind: 'notice';
  readonly object: ObjectName;
  /** As in the event: `SpotInterrupted`, `SpotRebalanceRecommendation`, ... */
  readonly reason: string;
  readonly message: string;
}

export interface ObjectName {
  readonly kind: 'Node' | 'NodeClaim' | 'NodePool' | 'Pod';
  /** Of pods. */
  readonly namespace?: string;
  readonly name: string;
}
