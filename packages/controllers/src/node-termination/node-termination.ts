import { changesOf, type Runnable, readsFrom } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { type Evictions, watchBlockingPdbs } from '../eviction-queue/index.ts';
import { watchPodsOnNodes, watchProviderIds } from '../instances/index.ts';
import { Draining } from './draining.ts';
import { InstanceTermination } from './instance-termination.ts';
import { isTerminating, TerminationController } from './termination-controller.ts';
import { VolumeDetachment, watchAttachedVolumes } from './volume-detachment.ts';

export interface TerminationContext
  extends Pick<
    ControllerContext,
    'client' | 'caches' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
  > {
  /** The queue that the eviction controller works on. */
  readonly evictions: Evictions;
}

/** Wires node termination: its steps in order, and the caches whose changes trigger it. */
export function nodeTermination(context: TerminationContext): Runnable {
  const index = watchProviderIds(context.caches);
  const pods = watchPodsOnNodes(context.caches);
  const volumes = watchAttachedVolumes(context.caches);
  const controller = new TerminationController({
    ...context,
    index,
    steps: [
      new Draining({ ...context, pods, budgets: watchBlockingPdbs(context.caches) }),
      new VolumeDetachment({ ...context, pods, volumes }),
      new InstanceTermination(context),
    ],
  });
  // Changes of pods and attachments trigger their Node at once, so that it does not wait for the next poll.
  const ifTerminating = (nodeName: string | undefined): readonly string[] => {
    const node = nodeName === undefined ? undefined : index.nodes.get({ name: nodeName });
    return node !== undefined && isTerminating(node) ? [node.metadata.name] : [];
  };
  return {
    controller,
    sources: [
      ...index.nodeSources(),
      changesOf(pods.cache, ({ object }) => ifTerminating(object.spec.nodeName)),
      changesOf(volumes.attachments, ({ object }) => ifTerminating(object.spec.nodeName)),
      // Triggers nothing, but without it the volumes of pods that stay, which never detach, would be awaited.
      readsFrom(volumes.claims),
    ],
  };
}
