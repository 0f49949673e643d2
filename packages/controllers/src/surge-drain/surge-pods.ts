import { annotationKeys, formatTimestamp, labelKeys, surgeTuning } from '@karpenter/core/api';
import { isActive } from '@karpenter/core/state';
import { formatSurgeMark, surgeMark, surgeStep, surgeTimeout } from '@karpenter/core/termination';
import { controllerReference, type OwnerReference } from '@karpenter/core/values';
import { isForbidden, type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedPod, PodsOnNodes, ProviderIdIndex } from '../instances/index.ts';

export interface SurgePodsContext extends Pick<ControllerContext, 'client' | 'clock' | 'log'> {
  readonly pods: PodsOnNodes;
  readonly index: ProviderIdIndex;
}

export type Deployment = NonNullable<(typeof kinds.deployment)['objects']>;

const replicaSetIndex = 'metadata.ownerReferences.replicaSet';
const surgeReplicas = 2;

/** Scales Deployments of one replica to two while their pod is drained. */
export class SurgePods {
  readonly #context: SurgePodsContext;

  constructor(context: SurgePodsContext) {
    this.#context = context;
  }

  /**
   * Whether the pod may be evicted: it has no surge-drain annotation, another pod of its ReplicaSet is ready on a
   * node that stays, or the wait is over. Without permission to patch Deployments (403) the pod is evicted
   * like any other, so that the drain of its node is not blocked. Other errors are thrown.
   */
  async allowsEviction(pod: CachedPod): Promise<boolean> {
    if (surgeTimeout(pod) === undefined) return true;
    try {
      return await this.#mayEvict(pod);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.#context.log.error('failed scaling up for drain', { error: error.message });
      return true;
    }
  }

  /** Decides the next step and scales up if needed. Returns whether the pod may be evicted now. */
  async #mayEvict(pod: CachedPod): Promise<boolean> {
    const deployment = await this.#deploymentOf(pod);
    const hasStandIn = this.#hasReadySibling(pod);
    const step = surgeStep({ pod, workload: deployment, hasStandIn, at: this.#context.clock.now() });
    if (step === 'scale-up' && deployment !== undefined) await this.#scaleUp(deployment, pod);
    return step === 'evict';
  }

  /**
   * Scales the Deployment of an evicted pod back to one. Conflicts are retried a few times; what is left
   * after that is cleaned up by the controller `surge-drain`.
   */
  async release(pod: CachedPod): Promise<void> {
    if (surgeTimeout(pod) === undefined) return;
    for (let tries = 0; tries < surgeTuning.releaseTries; tries += 1) {
      const deployment = await this.#deploymentOf(pod);
      const isSurged = deployment !== undefined && surgeMark(deployment)?.podUid === pod.metadata.uid;
      if (!isSurged || (await scaleDown(this.#context, deployment))) return;
    }
  }

  /**
   * Writes the replica count together with an annotation that names the pod, in one guarded patch: a process
   * that ends right after it leaves everything that the next one needs to continue or to scale back (ADR 0024).
   */
  async #scaleUp(deployment: Deployment, pod: CachedPod): Promise<void> {
    const { client, clock, log } = this.#context;
    const { name: podName, uid: podUid } = pod.metadata;
    const mark = formatSurgeMark({ podName, podUid, since: clock.now() });
    const metadata = {
      annotations: { [annotationKeys.surgeOf]: mark },
      labels: { [labelKeys.surging]: 'true' },
    };
    const spec = { replicas: surgeReplicas };
    if ((await writeObject(client, kinds.deployment, deployment, { metadata, spec })) === undefined) return;
    log.info('scaled up for drain', {
      Deployment: { name: deployment.metadata?.name, namespace: deployment.metadata?.namespace },
      since: formatTimestamp(clock.now()),
    });
  }

  /** Whether another pod of the same ReplicaSet is ready on a node that is not being deleted. */
  #hasReadySibling(pod: CachedPod): boolean {
    const { pods, index } = this.#context;
    // Added on first use: only pods with the surge-drain annotation get here. Later calls have no effect.
    pods.cache.addIndex(replicaSetIndex, replicaSetKeys);
    return replicaSetKeys(pod)
      .flatMap((key) => pods.cache.byIndex(replicaSetIndex, key))
      .some((other) => {
        const node = index.nodes.get({ name: other.spec.nodeName ?? '' });
        const stays = node !== undefined && node.metadata.deletionTimestamp === undefined;
        return other.metadata.uid !== pod.metadata.uid && isActive(other) && isReady(other) && stays;
      });
  }

  /** Follows the controller references from the pod to its Deployment, by reads from the API server. */
  async #deploymentOf(pod: CachedPod): Promise<Deployment | undefined> {
    const { namespace } = pod.metadata;
    const replicaSet = await this.#read(kinds.replicaSet, namespace, controllerReference(pod.metadata));
    return this.#read(kinds.deployment, namespace, controllerReference(replicaSet?.metadata ?? {}));
  }

  async #read<T extends KubeObject>(
    kind: Kind<T>,
    namespace: string,
    owner: OwnerReference | undefined,
  ): Promise<T | undefined> {
    if (owner?.kind !== kind.kind) return undefined;
    return this.#context.client.find(kind, { namespace, name: owner.name });
  }
}

/**
 * Removes the surge annotation and scales back to one replica, unless someone has set another number
 * meanwhile, which stays. Returns false when the Deployment changed since it was read.
 */
export async function scaleDown(
  { client }: Pick<ControllerContext, 'client'>,
  deployment: Deployment,
): Promise<boolean> {
  const metadata = {
    annotations: { [annotationKeys.surgeOf]: null },
    labels: { [labelKeys.surging]: null },
  };
  const spec = deployment.spec?.replicas === surgeReplicas ? { replicas: 1 } : {};
  return (await writeObject(client, kinds.deployment, deployment, { metadata, spec })) !== undefined;
}

function replicaSetKeys({ metadata }: CachedPod): readonly string[] {
  const owner = controllerReference(metadata);
  return owner?.kind === 'ReplicaSet' ? [`${metadata.namespace}/${owner.name}`] : [];
}

function isReady({ status }: CachedPod): boolean {
  return (status?.conditions ?? []).some((condition) => {
    return condition.type === 'Ready' && condition.status === 'True';
  });
}
