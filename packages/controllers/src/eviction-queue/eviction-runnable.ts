import { type Runnable, readsFrom } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { MachineIndex, PodsOnNodes } from '../machines/index.ts';
import { StandIns } from '../surge-drain/index.ts';
import { EvictionController } from './eviction-controller.ts';
import type { EvictionQueue } from './eviction-queue.ts';

export interface EvictionContext
  extends Pick<
    ControllerContext,
    'client' | 'caches' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
  > {
  /** The same that node.termination adds to. */
  readonly evictions: EvictionQueue;
}

/** Evicts the pods of the queue. */
export function evictionQueue(context: EvictionContext): Runnable {
  const pods = new PodsOnNodes(context.caches);
  const machines = new MachineIndex(context.caches);
  const standIns = new StandIns({ ...context, pods, machines });
  return {
    controller: new EvictionController({ ...context, pods, machines, standIns }),
    sources: [
      context.evictions,
      readsFrom(pods.cache),
      readsFrom(machines.nodes),
      readsFrom(machines.claims),
    ],
  };
}
