import type { InstanceType } from '@karpenter/core/ports';
import type { Plan, PlanOptions, Snapshot } from '@karpenter/core/scheduling';

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

/** One cluster to be planned. */
export interface Simulation {
  readonly kind: 'manifests' | 'scenario' | 'snapshot';
  /** The file or files it comes from. */
  readonly source: string;
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
}

export interface Simulated extends Simulation {
  readonly plan: Plan;
  /** From the finished snapshot to the finished plan. */
  readonly seconds: number;
}
