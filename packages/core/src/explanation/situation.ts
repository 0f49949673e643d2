import type { PlanEnvironment } from '../provisioning/index.ts';
import type { PlanOptions } from '../scheduling/index.ts';
import type { ClusterSnapshot } from '../state/index.ts';

/** A cluster at one instant, and how the controllers plan and disrupt it. */
export interface ExplainedCluster {
  readonly cluster: ClusterSnapshot;
  readonly environment: PlanEnvironment;
  /** As provisioning plans. */
  readonly options: PlanOptions;
  readonly disruption: {
    /** As disruption plans. */
    readonly options: PlanOptions;
    /** Feature gate SpotToSpotConsolidation. */
    readonly allowsSpotToSpot: boolean;
  };
}
