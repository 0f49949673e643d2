import { controllerNames, labelKeys, surgeTuning } from '@karpenter/core/api';
import { isActive } from '@karpenter/core/state';
import { surgeMark } from '@karpenter/core/termination';
import { kinds } from '@karpenter/kube/client';
import { type ReconcileResult, type Runnable, readsFrom, type Singleton } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { type PodsOnNodes, watchPodsOnNodes } from '../instances/index.ts';
import { type Deployment, scaleDown } from './surge-pods.ts';

export type SurgeDrainContext = Pick<ControllerContext, 'client' | 'caches'>;

/**
 * Scales Deployments back whose drained pod is gone: the process ended in between, or the pod ended by
 * itself.
 */
export function surgeDrain(context: SurgeDrainContext): Runnable {
  const pods = watchPodsOnNodes(context.caches);
  return { singleton: new SurgeCollector(context, pods), sources: [readsFrom(pods.cache)] };
}

class SurgeCollector implements Singleton {
  readonly name = controllerNames.surgeDrain;
  readonly #context: SurgeDrainContext;
  readonly #pods: PodsOnNodes;

  constructor(context: SurgeDrainContext, pods: PodsOnNodes) {
    this.#context = context;
    this.#pods = pods;
  }

  async reconcile(): Promise<ReconcileResult> {
    const labelSelector = `${labelKeys.surging}=true`;
    const { items } = await this.#context.client.list(kinds.deployment, { labelSelector });
    for (const deployment of items) {
      // A conflict is left to the next run, 30 s later.
      if (!this.#isNeeded(deployment)) await scaleDown(this.#context, deployment);
    }
    return { requeueAfter: surgeTuning.collectionPeriod };
  }

  /** Whether the pod that the Deployment was scaled up for still runs. */
  #isNeeded(deployment: Deployment): boolean {
    const mark = surgeMark(deployment);
    if (mark === undefined) return false;
    const namespace = deployment.metadata?.namespace ?? '';
    const pod = this.#pods.cache.get({ namespace, name: mark.podName });
    return pod !== undefined && pod.metadata.uid === mark.podUid && isActive(pod);
  }
}
