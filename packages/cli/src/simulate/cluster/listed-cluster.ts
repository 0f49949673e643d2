import { Cluster } from '@karpenter/controllers/cluster';
import { ClusterPlanning, planOptions, resolvedBuffers } from '@karpenter/controllers/planning';
import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import type { CloudProvider } from '@karpenter/core/ports';
import type { PlanInput } from '@karpenter/core/provisioning';
import type { CapturedCluster, PlanningSettings } from '@karpenter/core/saved-cluster';
import type { PlanOptions } from '@karpenter/core/scheduling';
import type { ClusterSnapshot, Fact } from '@karpenter/core/state';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { awsVocabulary } from '../../label-vocabulary.ts';
import type { Findings, ReportedHeldPod, ReportedIgnoredPod, SimulationClock } from '../simulation.ts';

/** A cluster at one instant, as manifests and saved clusters describe it. */
export interface ListedCluster {
  readonly caches: ObjectCaches;
  /** The instant of the plan, in milliseconds since 1970. */
  readonly at: number;
  readonly settings: CoreSettings;
  readonly reservedCapacity: PlanningSettings['reservedCapacity'];
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** False when the input has no storage objects; volumes then restrict no pod to a zone. */
  readonly hasStorage: boolean;
  readonly cloud: Pick<CloudProvider, 'nodeClasses' | 'instanceTypes'>;
  /** What the process that saved the cluster knew besides its objects. */
  readonly facts: readonly Fact[];
}

export interface PlannableCluster {
  readonly input: PlanInput;
  readonly options: PlanOptions;
  readonly findings: Findings;
  /** What a file needs to give the same plan again. */
  readonly captured: CapturedCluster;
  readonly planning: ClusterPlanning;
  readonly cluster: Cluster;
  /** The cluster that `input` comes from. */
  readonly state: ClusterSnapshot;
}

/**
 * Builds the input of a plan from the objects of a cluster. It runs the same code as the provisioner (`Cluster`,
 * `ClusterPlanning`) on caches filled from files, so that a dry run and the controllers make the same plan. `clock`
 * limits how long the plan may search for devices; the plan itself happens at the instant of the cluster.
 */
export async function plannableCluster(
  listed: ListedCluster,
  clock: Pick<SimulationClock, 'now'>,
): Promise<PlannableCluster> {
  const { caches, at, settings, reservedCapacity, defaultSpread, cloud, facts } = listed;
  const vocabulary = awsVocabulary;
  const cluster = new Cluster({ caches, clock: { now: () => at } });
  // The facts of a saved cluster (nominations, marked nodes) refer to its objects, so those come first.
  await cluster.follow();
  cluster.learn(...facts);
  const planning = new ClusterPlanning({ caches, cluster, cloud, settings, vocabulary, defaultSpread });
  const refreshed = await planning.refresh();
  const snapshot = listed.hasStorage ? refreshed.snapshot : withoutStorage(refreshed.snapshot);
  const captured = planning.capture({ ...refreshed, snapshot }, { reservedCapacity });
  const input = planning.input(snapshot);
  return {
    input,
    options: planOptions({ settings, vocabulary, clock }, reservedCapacity),
    captured,
    planning,
    cluster,
    state: snapshot,
    findings: {
      ignored: input.ignored.map(ignoredPod),
      held: snapshot.heldPods.map(heldPod),
      overlays: refreshed.overlayVerdicts,
      buffers: resolvedBuffers(caches).map(({ pods: _, ...buffer }) => buffer),
    },
  };
}

/** An absent `storage` lets the planner ignore volumes; with an empty one, every pod with a claim is ignored. */
function withoutStorage({ storage: _, ...snapshot }: ClusterSnapshot): ClusterSnapshot {
  return snapshot;
}

function ignoredPod({ pod, verdict }: PlanInput['ignored'][number]): ReportedIgnoredPod {
  const { name, namespace, uid } = pod.metadata;
  return { name, namespace, uid, message: verdict.message, hasOptedOut: !verdict.isReported };
}

function heldPod({ pod, nodeClaim, cause }: ClusterSnapshot['heldPods'][number]): ReportedHeldPod {
  const { name, namespace, uid } = pod.metadata;
  const message =
    cause === 'topology'
      ? `where it may go depends on where the pods of NodeClaim ${nodeClaim} will be`
      : `NodeClaim ${nodeClaim} may be launching for it`;
  return { name, namespace, uid, message };
}
