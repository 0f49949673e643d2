import { Cluster, nodePools } from '@karpenter/controllers/cluster';
import { ClusterPlanning, resolvedBuffers } from '@karpenter/controllers/planning';
import type { NodeClassKind } from '@karpenter/core/ports';
import type { PlanInput } from '@karpenter/core/provisioning';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { awsVocabulary } from '../../label-vocabulary.ts';
import type { Choices, Findings, HeldPod, IgnoredPod, SimulationPorts } from '../simulation.ts';
import { planSettings } from './plan-settings.ts';

export interface ListedCluster {
  readonly caches: ObjectCaches;
  /** False where nothing is known about volumes, so that they may be anywhere. */
  readonly hasStorage: boolean;
}

export interface PlannableCluster {
  readonly input: PlanInput;
  readonly findings: Findings;
}

/** Takes the way of the controllers from the objects of a cluster to the input of a plan. */
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
  const snapshot = await planning.snapshot();
  const input = planning.input(hasStorage ? snapshot : withoutStorage(snapshot));
  const findings = {
    ignored: input.ignored.map(ignoredPod),
    held: snapshot.heldPods.map(heldPod),
    overlays: planning.overlayVerdicts,
    buffers: resolvedBuffers(caches).map(({ pods: _, ...buffer }) => buffer),
  };
  return { input, findings };
}

/** A dry run knows no NodeClasses: it plans with every NodePool, whatever cloud its class is of. */
function namedClasses(caches: ObjectCaches): readonly NodeClassKind[] {
  return caches
    .of(nodePools)
    .list()
    .map(({ spec }) => ({ ...spec.template.spec.nodeClassRef, version: '', plural: '' }));
}

function withoutStorage({ storage: _, ...snapshot }: ClusterSnapshot): ClusterSnapshot {
  return snapshot;
}

function ignoredPod({ pod, verdict }: PlanInput['ignored'][number]): IgnoredPod {
  const { name, namespace, uid } = pod.metadata;
  return { name, namespace, uid, message: verdict.message };
}

function heldPod({ pod, nodeClaim, cause }: ClusterSnapshot['heldPods'][number]): HeldPod {
  const { name, namespace, uid } = pod.metadata;
  const message =
    cause === 'topology'
      ? `where it may go depends on where the pods of NodeClaim ${nodeClaim} will be`
      : `NodeClaim ${nodeClaim} may be launching for it`;
  return { name, namespace, uid, message };
}
