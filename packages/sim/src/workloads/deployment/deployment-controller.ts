import { isAlreadyExists, keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import {
  type ControllerSetup,
  ignoreNotFound,
  ignoreNotFoundOrConflict,
  requeueIn,
  staleCacheRetryMs,
  type WorkloadControllerContext,
} from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { ownedPods, podsOf } from '../owned-pods.ts';
import { PendingWrites } from '../pending-writes.ts';
import {
  type DeploymentPlan,
  planDeployment,
  type ReplicaSetChange,
  revisionAnnotation,
} from './plan-deployment.ts';

/**
 * No event marks the end of progressDeadlineSeconds, so an unfinished rollout is checked at this interval.
 */
const deadlineCheckMs = 30_000;

/** Rolls out Deployments through ReplicaSets. */
export function deploymentController(context: WorkloadControllerContext): ControllerSetup {
  const { caches, client, clock, events } = context;
  const deployments = caches.of(kinds.deployment);
  const sets = caches.of(kinds.replicaSet, { deployment: (set) => [controllerOf(set)?.uid ?? ''] });
  const pods = ownedPods(caches);
  const pending = new PendingWrites(sets, clock);

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const deployment = deployments.get(parseKey(key));
    if (deployment === undefined) return undefined;
    if (!pending.areObserved(key)) return requeueIn(staleCacheRetryMs);
    const owned = sets.byIndex('deployment', deployment.metadata?.uid ?? '');
    const plan = planDeployment(deployment, {
      sets: owned,
      podsOf: (set) => podsOf(pods, set),
      now: clock.now(),
    });
    await apply(key, deployment, plan);
    const progress = plan.status.conditions?.find(({ type }) => type === 'Progressing');
    return progress?.reason === 'NewReplicaSetAvailable' ? undefined : requeueIn(deadlineCheckMs);
  }

  async function apply(key: string, deployment: Deployment, plan: DeploymentPlan): Promise<void> {
    if (plan.create !== undefined) await create(key, deployment, plan.create);
    for (const change of plan.changes) await scale(deployment, change);
    for (const set of plan.remove) await client.delete(kinds.replicaSet, keyOf(set)).catch(ignoreNotFound);
    const metadata = newRevision(deployment, plan.revision);
    if (metadata === undefined && isSameStatus(deployment.status, plan.status)) return;
    const patch = { type: 'merge', body: { ...metadata, status: plan.status } } as const;
    await client
      .patch(kinds.deployment, keyOf(deployment), patch, { subresource: 'status' })
      .catch(ignoreNotFoundOrConflict);
  }

  async function create(key: string, deployment: Deployment, set: ReplicaSet): Promise<void> {
    try {
      pending.created(key, await client.create(kinds.replicaSet, set));
      const replicas = set.spec?.replicas ?? 0;
      if (replicas > 0)
        report(deployment, `Scaled up replica set ${set.metadata?.name ?? ''} from 0 to ${replicas}`);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await countCollision(deployment);
    }
  }

  /**
   * Another template has the same hash. The collision count is part of the hash, so the next reconcile gets
   * another name.
   */
  async function countCollision(deployment: Deployment): Promise<void> {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    const patch = { type: 'merge', body: { status: { collisionCount } } } as const;
    await client
      .patch(kinds.deployment, keyOf(deployment), patch, { subresource: 'status' })
      .catch(ignoreNotFoundOrConflict);
  }

  async function scale(
    deployment: Deployment,
    { set, replicas, annotations }: ReplicaSetChange,
  ): Promise<void> {
    const before = set.spec?.replicas ?? 1;
    const body = { metadata: { annotations }, spec: { replicas } };
    await client.patch(kinds.replicaSet, keyOf(set), { type: 'merge', body }).catch(ignoreNotFoundOrConflict);
    if (before === replicas) return;
    const direction = replicas > before ? 'up' : 'down';
    report(
      deployment,
      `Scaled ${direction} replica set ${set.metadata?.name ?? ''} from ${before} to ${replicas}`,
    );
  }

  function report(deployment: Deployment, message: string): void {
    events.publish(kinds.deployment, deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }

  /**
   * The revision annotation is written together with the status, because a separate write would count as a
   * new generation.
   */
  function newRevision(deployment: Deployment, revision: string | undefined) {
    const known = deployment.metadata?.annotations?.[revisionAnnotation];
    if (revision === undefined || revision === known) return undefined;
    return { metadata: { annotations: { [revisionAnnotation]: revision } } };
  }

  const ownerKey = (object: ReplicaSet): readonly string[] => {
    const owner = controllerOf(object);
    return owner?.kind === 'Deployment' ? [`${object.metadata?.namespace ?? ''}/${owner.name}`] : [];
  };
  return {
    controller: { name: 'deployment', concurrency: 5, reconcile },
    sources: [
      pending.deletions,
      changesOf(deployments),
      changesOf(sets, ({ object }) => ownerKey(object)),
      // A Recreate rollout waits for the last old pod, whose deletion changes no ReplicaSet.
      changesOf(pods, ({ type, object }) =>
        type === 'deleted' ? recreating(object.metadata?.namespace) : [],
      ),
    ],
  };

  function recreating(namespace: string | undefined): readonly string[] {
    return deployments
      .list()
      .filter(
        ({ metadata, spec }) => metadata?.namespace === namespace && spec?.strategy?.type === 'Recreate',
      )
      .map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`);
  }
}
