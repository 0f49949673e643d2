import type { DefaultSpreadConstraint } from '@karpenter/core/api';
import type { BufferResolution } from '@karpenter/core/capacity-buffers';
import type { OverlayVerdict } from '@karpenter/core/node-overlays';
import type { InstanceType } from '@karpenter/core/ports';
import type { Plan, PlanOptions, PodMetadata, Snapshot } from '@karpenter/core/scheduling';

export type Planner = (snapshot: Snapshot, options: PlanOptions) => Plan;

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment; never jumps. */
  readonly monotonic: () => number;
}

/** What a dry run needs of the world. */
export interface SimulationPorts {
  readonly plan: Planner;
  readonly clock: Clock;
  /** What the cloud offers, for manifests that do not say. */
  readonly instanceTypes: () => readonly InstanceType[];
  /** Tells the person at the keyboard something that is not part of the result. */
  readonly note: (text: string) => void;
}

/** Policies as the command line gives them; what is absent is left to the input. */
export type Policies = Partial<Pick<PlanOptions, 'preferencePolicy' | 'minValuesPolicy'>>;

/** What the command line decides. */
export interface Choices {
  readonly policies: Policies;
  /** For pods of manifests that have no spread constraints. */
  readonly defaultConstraints: readonly DefaultSpreadConstraint[];
}

export const noChoices: Choices = { policies: {}, defaultConstraints: [] };

/** One cluster to be planned. */
export interface Simulation {
  readonly kind: 'manifests' | 'scenario' | 'snapshot';
  /** The file or files it comes from. */
  readonly source: string;
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  readonly findings: Findings;
}

/** What was found before planning. */
export interface Findings {
  /** Pods that are not planned for, and why. */
  readonly ignored: readonly IgnoredPod[];
  /** Pods that wait for a NodeClaim which is launching, and why. */
  readonly held: readonly HeldPod[];
  readonly overlays: readonly OverlayVerdict[];
  /** The pods that stand for them are in the snapshot. */
  readonly buffers: readonly FoundBuffer[];
}

export interface IgnoredPod extends Pick<PodMetadata, 'name' | 'namespace' | 'uid'> {
  readonly message: string;
}

export type HeldPod = IgnoredPod;

export type FoundBuffer = Pick<BufferResolution, 'name' | 'namespace' | 'replicas' | 'readyForProvisioning'>;

export const noFindings: Findings = { ignored: [], held: [], overlays: [], buffers: [] };

export interface Simulated extends Simulation {
  readonly plan: Plan;
  /** From the finished snapshot to the finished plan. */
  readonly seconds: number;
}
