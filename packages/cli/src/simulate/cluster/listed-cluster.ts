import { Cluster, nodePools } from '@karpenter/controllers/cluster';
import { ClusterPlanning, resolvedBuffers } from '@karpenter/controllers/planning';
import type { NodeClassKind } from '@karpenter/core/ports';
import type { PlanInput } from '@karpenter/core/provisioning';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { awsVocabulary } from '../../label-vocabulary.ts';
import type {
  Choices,
  Findings,
  ReportedHeldPod,
  ReportedIgnoredPod,
  SimulationPorts,
} from '../simulation.ts';
import { planSettings } from './plan-settings.ts';

export interface ListedCluster {
  readonly caches: ObjectCaches;
  /** False when the input has no storage objects; volumes then restrict no pod to a zone. */
  readonly hasStorage: boolean;
}

export interface PlannableCluster {
  readonly input: PlanInput;
  readonly findings: Findings;
}

/**
 * Builds the input of a plan from the objects of a cluster. It runs the same code as the provisioner (`Cluster`,
 * `ClusterPlanning`) on caches filled from files, so that a dry run and the controllers make the same plan.
 */
export async function plannableCluster(
  { caches, hasStorage }: ListedCluster,
  { policies, defaultConstraints }: Choices,
  { clock, instanceTypes }: Pick<SimulationPorts, 'clock' | 'instanceTypes'>,
): Promise<PlannableCluster> {
  const cluster = new Cluster({ caches, clock });
  const types = instanceTypes();
  await cluster.follow();
  const planning = new ClusterPlanning({
    caches,
    cluster,
    cloud: { nodeClasses: namedClasses(caches), instanceTypes: async () => types },
    settings: planSettings(policies),
    vocabulary: awsVocabulary,
    defaultSpread: defaultConstraints,
  });
  const { snapshot, overlayVerdicts: overlays } = await planning.refresh();
  const input = planning.input(hasStorage ? snapshot : withoutStorage(snapshot));
  const findings = {
    ignored: input.ignored.map(ignoredPod),
    held: snapshot.heldPods.map(heldPod),
    overlays,
    buffers: resolvedBuffers(caches).map(({ pods: _, ...buffer }) => buffer),
  };
  return { input, findings };
}

/**
 * Declares every NodeClass that a NodePool refers to as known. The controllers skip NodePools whose NodeClass belongs
 * to another provider; a dry run has no NodeClasses and plans with all NodePools.
 */
function namedClasses(caches: ObjectCaches): readonly NodeClassKind[] {
  return caches
    .of(nodePools)
    .list()
    .map(({ spec }) => ({ ...spec.template.spec.nodeClassRef, version: '', plural: '' }));
}

/** An absent `storage` lets the planner ignore volumes; with an empty one, every pod with a claim is ignored. */
function withoutStorage({ storage: _, ...snapshot }: ClusterSnapshot): ClusterSnapshot {
  return snapshot;
}

function ignoredPod({ pod, verdict }: PlanInput['ignored'][number]): ReportedIgnoredPod {
  const { name, namespace, uid } = pod.metadata;
  return { name, namespace, uid, message: verdict.message };
}

function heldPod({ pod, nodeClaim, cause }: ClusterSnapshot['heldPods'][number]): ReportedHeldPod {
  const { name, namespace, uid } = pod.metadata;
  const message =
    cause === 'topology'
      ? `where it may go depends on where the pods of NodeClaim ${nodeClaim} will be`
      : `NodeClaim ${nodeClaim} may be launching for it`;
  return { name, namespace, uid, message };
}
