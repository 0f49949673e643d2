import { type Runnable, readsFrom } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { watchPodsOnNodes, watchProviderIds } from '../instances/index.ts';
import { SurgePods } from '../surge-drain/index.ts';
import { watchBlockingPdbs } from './blocking-pdbs.ts';
import { EvictionController } from './eviction-controller.ts';
import type { EvictionQueue } from './eviction-queue.ts';

export interface EvictionContext
  extends Pick<
    ControllerContext,
    'client' | 'caches' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
  > {
  /** The queue that node.termination adds to. */
  readonly evictions: EvictionQueue;
}

/**
 * Wires the eviction controller. It reads pods, Nodes and NodeClaims, and waits until their caches are
 * synced. It does not wait for PDBs: only texts of events name them, and the API server enforces them.
 */
export function evictionQueue(context: EvictionContext): Runnable {
  const pods = watchPodsOnNodes(context.caches);
  const index = watchProviderIds(context.caches);
  const budgets = watchBlockingPdbs(context.caches);
  const surgePods = new SurgePods({ ...context, pods, index });
  return {
    controller: new EvictionController({ ...context, pods, index, budgets, surgePods }),
    sources: [context.evictions, readsFrom(pods.cache), readsFrom(index.nodes), readsFrom(index.claims)],
  };
}
