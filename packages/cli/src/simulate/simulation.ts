import type { DefaultSpreadConstraint } from '@karpenter/core/api';
import type { BufferResolution } from '@karpenter/core/capacity-buffers';
import type { OverlayVerdict } from '@karpenter/core/node-overlays';
import type { InstanceType } from '@karpenter/core/ports';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import type { Plan, PlanOptions, PodMetadata, Snapshot } from '@karpenter/core/scheduling';
import type { ClusterPlace } from '../region/index.ts';
import type { ObjectCheck } from './objects/object-checks.ts';

export type Planner = (snapshot: Snapshot, options: PlanOptions) => Plan;

export interface SimulationClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary moment; never goes backwards. */
  readonly monotonic: () => number;
}

/** Everything a dry run needs from outside, injected so that tests run without files, clock or catalogue. */
export interface SimulationPorts {
  readonly plan: Planner;
  readonly clock: SimulationClock;
  /** Instance types for manifests, which contain none. Called once per cluster. */
  readonly instanceTypes: (place: ClusterPlace) => readonly InstanceType[];
  /** Loads the check of an API server for objects of manifests. Absent means that only what planning reads is checked. */
  readonly objectCheck?: () => Promise<ObjectCheck>;
  /** Prints a note for the user that is not part of the result. */
  readonly note: (text: string) => void;
}

/** Policies from the command line; an absent one is left to the input. */
export type Policies = Partial<Pick<PlanOptions, 'preferencePolicy' | 'minValuesPolicy'>>;

/** Options of the command line that affect the plan. */
export interface Choices {
  readonly policies: Policies;
  /** Applied to pods of manifests without spread constraints of their own. */
  readonly defaultConstraints: readonly DefaultSpreadConstraint[];
  /** Where nodes are; by default the input says it. */
  readonly region?: string;
}

export const noChoices: Choices = { policies: {}, defaultConstraints: [] };

/** One cluster, ready to be planned. */
export interface PlanSimulation {
  readonly kind: 'manifests' | 'scenario' | 'saved' | 'live';
  /** Names of the input files, or the address of the live cluster. */
  readonly source: string;
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  readonly findings: Findings;
  /** What `--save` writes; absent for a scenario, which is such a file already. */
  readonly captured?: CapturedCluster;
}

/** Results of preparing the input that are not part of the snapshot but belong into the output. */
export interface Findings {
  /** Pods that are not planned for because of their spec, with the reason. */
  readonly ignored: readonly ReportedIgnoredPod[];
  /** Pods that wait for a launching NodeClaim, with the reason. */
  readonly held: readonly ReportedHeldPod[];
  readonly overlays: readonly OverlayVerdict[];
  /** Their virtual pods are in the snapshot. */
  readonly buffers: readonly FoundBuffer[];
}

export interface ReportedIgnoredPod extends Pick<PodMetadata, 'name' | 'namespace' | 'uid'> {
  readonly message: string;
  /** Whether the pod asked not to be planned for. */
  readonly hasOptedOut?: boolean;
}

export type ReportedHeldPod = ReportedIgnoredPod;

export type FoundBuffer = Pick<BufferResolution, 'name' | 'namespace' | 'replicas' | 'readyForProvisioning'>;

export const noFindings: Findings = { ignored: [], held: [], overlays: [], buffers: [] };

export interface Simulated extends PlanSimulation {
  readonly plan: Plan;
  /** Duration of planning alone. */
  readonly seconds: number;
}
