import { annotationKeys, formatTimestamp, labelKeys, surgeTuning } from '@karpenter/core/api';
import { isActive } from '@karpenter/core/state';
import { formatSurgeMark, surgeMark, surgePatience, surgeStep } from '@karpenter/core/termination';
import { controllerReference, type OwnerReference } from '@karpenter/core/values';
import { isForbidden, isNotFound, type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedPod, PodsOnNodes, ProviderIdIndex } from '../machines/index.ts';

export interface StandInContext extends Pick<ControllerContext, 'client' | 'clock' | 'log'> {
  readonly pods: PodsOnNodes;
  readonly index: ProviderIdIndex;
}

export type Deployment = NonNullable<(typeof kinds.deployment)['objects']>;

const replicaSetIndex = 'metadata.ownerReferences.replicaSet';
const surged = 2;

/** Second pods for workloads that have one, while that one moves. */
export class StandIns {
  readonly #context: StandInContext;

  constructor(context: StandInContext) {
    this.#context = context;
  }

  /**
   * Whether the pod may go: nobody asked for a stand-in, or it is there, or was waited for long enough. A process that
   * may not scale workloads must not hold up their nodes.
   */
  async lets(pod: CachedPod): Promise<boolean> {
    if (surgePatience(pod) === undefined) return true;
    try {
      return await this.#isCovered(pod);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.#context.log.error('failed scaling up for drain', { error: error.message });
      return true;
    }
  }

  async #isCovered(pod: CachedPod): Promise<boolean> {
    const deployment = await this.#deploymentOf(pod);
    const hasStandIn = this.#hasStandIn(pod);
    const step = surgeStep({ pod, workload: deployment, hasStandIn, at: this.#context.clock.now() });
    if (step === 'scale-up' && deployment !== undefined) await this.#scaleUp(deployment, pod);
    return step === 'evict';
  }

  /** The pod has gone: its workload needs no second one any more. What fails here is made good by `surge-drain`. */
  async release(pod: CachedPod): Promise<void> {
    if (surgePatience(pod) === undefined) return;
    for (let tries = 0; tries < surgeTuning.releaseTries; tries += 1) {
      const deployment = await this.#deploymentOf(pod);
      const isOurs = deployment !== undefined && surgeMark(deployment)?.podUid === pod.metadata.uid;
      if (!isOurs || (await scaleDown(this.#context, deployment))) return;
    }
  }

  async #scaleUp(deployment: Deployment, pod: CachedPod): Promise<void> {
    const { client, clock, log } = this.#context;
    const { name: podName, uid: podUid } = pod.metadata;
    const mark = formatSurgeMark({ podName, podUid, since: clock.now() });
    const metadata = {
      annotations: { [annotationKeys.surgeOf]: mark },
      labels: { [labelKeys.surging]: 'true' },
    };
    const spec = { replicas: surged };
    if ((await writeObject(client, kinds.deployment, deployment, { metadata, spec })) === undefined) return;
    log.info('scaled up for drain', {
      Deployment: { name: deployment.metadata?.name, namespace: deployment.metadata?.namespace },
      since: formatTimestamp(clock.now()),
    });
  }

  #hasStandIn(pod: CachedPod): boolean {
    const { pods, index } = this.#context;
    pods.cache.addIndex(replicaSetIndex, replicaSetKeys);
    return replicaSetKeys(pod)
      .flatMap((key) => pods.cache.byIndex(replicaSetIndex, key))
      .some((other) => {
        const node = index.nodes.get({ name: other.spec.nodeName ?? '' });
        const stays = node !== undefined && node.metadata.deletionTimestamp === undefined;
        return other.metadata.uid !== pod.metadata.uid && isActive(other) && isReady(other) && stays;
      });
  }

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
    try {
      return await this.#context.client.get(kind, { namespace, name: owner.name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Back to one pod, unless somebody else has given it another number meanwhile. Whether it is done. */
export async function scaleDown(
  { client }: Pick<ControllerContext, 'client'>,
  deployment: Deployment,
): Promise<boolean> {
  const metadata = {
    annotations: { [annotationKeys.surgeOf]: null },
    labels: { [labelKeys.surging]: null },
  };
  const spec = deployment.spec?.replicas === surged ? { replicas: 1 } : {};
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
