import { compileLabelSelector } from '@karpenter/core/values';
import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf, keyTextOf } from '../../objects/object-key.ts';
import { type ControllerSetup, requeueIn, type WorkloadControllerContext } from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { planBudget, type ScaleOf } from './plan-budget.ts';

/** Keeps the status of PodDisruptionBudgets, from which the API server grants evictions. */
export function disruptionController({ caches, client, clock }: WorkloadControllerContext): ControllerSetup {
  const inNamespace = (object: { metadata?: { namespace?: string } }) => [object.metadata?.namespace ?? ''];
  const budgets = caches.of(kinds.podDisruptionBudget, { namespace: inNamespace });
  const pods = caches.of(kinds.pod, { namespace: inNamespace });
  const replicaSets = caches.of(kinds.replicaSet);
  const deployments = caches.of(kinds.deployment);
  const statefulSets = caches.of(kinds.statefulSet);

  const scaleOf: ScaleOf = (pod) => {
    const owner = controllerOf(pod);
    if (owner === undefined) return undefined;
    const key = { namespace: pod.metadata?.namespace ?? '', name: owner.name };
    if (owner.kind === 'StatefulSet') return scale(owner.uid, statefulSets.get(key));
    if (owner.kind !== 'ReplicaSet') return undefined;
    const set = replicaSets.get(key);
    const deployment = set && controllerOf(set);
    if (deployment?.kind !== 'Deployment') return scale(owner.uid, set);
    return scale(deployment.uid, deployments.get({ namespace: key.namespace, name: deployment.name }));
  };

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const budget = budgets.get(parseKey(key));
    if (budget === undefined) return undefined;
    const candidates = pods.byIndex('namespace', budget.metadata?.namespace ?? '');
    const plan = planBudget(budget, { pods: candidates, scaleOf, now: clock.now() });
    const disruptedPods = plan.status.disruptedPods ?? {};
    const status = { ...plan.status, disruptedPods };
    if (isSameStatus({ disruptedPods: {}, ...budget.status }, status)) return requeueIn(plan.requeueAfterMs);
    // The eviction API decrements disruptionsAllowed in this same status. Replacing with the resourceVersion
    // that was read fails on a conflict, where a patch would give granted evictions back.
    const updated = { ...budget, status };
    await client.replace(kinds.podDisruptionBudget, updated, { subresource: 'status' });
    return requeueIn(plan.requeueAfterMs);
  }

  function* affected(pod: Pod): Generator<string> {
    for (const budget of budgets.byIndex('namespace', keyOf(pod).namespace ?? '')) {
      if (compileLabelSelector(budget.spec?.selector)(pod.metadata?.labels ?? {})) yield keyTextOf(budget);
    }
  }

  function ofNamespace({ metadata }: { metadata?: { namespace?: string } }): readonly string[] {
    return budgets.byIndex('namespace', metadata?.namespace ?? '').map(keyTextOf);
  }

  return {
    controller: { name: 'disruption', concurrency: 5, reconcile },
    sources: [
      changesOf(budgets),
      changesOf(pods, ({ object, previous }) => [
        ...affected(object),
        ...(previous === undefined ? [] : affected(previous)),
      ]),
      changesOf(deployments, ({ object }) => ofNamespace(object)),
      changesOf(statefulSets, ({ object }) => ofNamespace(object)),
    ],
  };
}

function scale(uid: string, workload: { readonly spec?: { readonly replicas?: number } } | undefined) {
  return workload === undefined ? undefined : { uid, replicas: workload.spec?.replicas ?? 1 };
}
