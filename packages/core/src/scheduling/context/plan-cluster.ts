import type { ClusterDevices } from '../devices/index.ts';
import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { Storage } from '../volumes/storage.ts';
import type { BoundPodIndex } from './bound-pod-index.ts';

/** What is in the cluster before the plan. */
export interface PlanCluster {
  /** As they are before the plan places anything; an attempt fills the copies in its `PlanScratch`. */
  readonly nodes: readonly ExistingNode[];
  readonly nodeNamed: (name: string) => ExistingNode | undefined;
  readonly boundPods: Pick<BoundPodIndex, 'selectable' | 'withAntiAffinity' | 'copy'>;
  readonly storage: Storage;
  /** Absent where plans ignore resource claims. */
  readonly devices: ClusterDevices | undefined;
}
