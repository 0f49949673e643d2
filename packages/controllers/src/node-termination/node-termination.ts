import { changesOf, type Runnable, readsFrom } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import type { Evictions } from '../eviction-queue/index.ts';
import { MachineIndex, PodsOnNodes } from '../machines/index.ts';
import { Draining } from './draining.ts';
import { InstanceEnd } from './instance-end.ts';
import { isDeparting, TerminationController } from './termination-controller.ts';
import { AttachedVolumes, VolumeDetachment } from './volume-detachment.ts';

export interface TerminationContext
  extends Pick<
    ControllerContext,
    'client' | 'caches' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
  > {
  /** The same that the eviction queue works on. */
  readonly evictions: Evictions;
}

/** The end of a Node: drain, volumes, machine. */
export function nodeTermination(context: TerminationContext): Runnable {
  const machines = new MachineIndex(context.caches);
  const pods = new PodsOnNodes(context.caches);
  const volumes = new AttachedVolumes(context.caches);
  const controller = new TerminationController({
    ...context,
    machines,
    steps: [
      new Draining({ ...context, pods }),
      new VolumeDetachment({ ...context, pods, volumes }),
      new InstanceEnd(context),
    ],
  });
  /** A Node whose last pod or volume has gone need not wait for the next look. */
  const ifDeparting = (nodeName: string | undefined): readonly string[] => {
    const node = nodeName === undefined ? undefined : machines.nodes.get({ name: nodeName });
    return node !== undefined && isDeparting(node) ? [node.metadata.name] : [];
  };
  return {
    controller,
    sources: [
      ...machines.nodeSources(),
      changesOf(pods.cache, ({ object }) => ifDeparting(object.spec.nodeName)),
      changesOf(volumes.attachments, ({ object }) => ifDeparting(object.spec.nodeName)),
      readsFrom(volumes.claims),
    ],
  };
}
