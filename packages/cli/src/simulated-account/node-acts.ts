import type { WatchCache } from '@karpenter/kube/cache';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { Node } from 'kubernetes-types/core/v1.js';
import { type Act, actAnnotation, isAct } from './controls.ts';
import type { FaultReport } from './fault-config.ts';

/**
 * Carries out each new act annotation once. Reacts to modifications only: after a restart the cache lists nodes as
 * added, and an old annotation must not terminate the instance again.
 */
export function followActs(nodes: WatchCache<Node>, cloud: SimulatedCloud, report: FaultReport): () => void {
  return nodes.subscribe(({ type, object, previous }) => {
    if (type !== 'modified') return;
    const text = object.metadata?.annotations?.[actAnnotation];
    if (text === undefined || text === previous?.metadata?.annotations?.[actAnnotation]) return;
    const [word = ''] = text.split('@');
    const id = object.spec?.providerID?.split('/').at(-1) ?? '';
    const isDone = isAct(word) && performAct(word, id, cloud);
    report(`${word} of ${object.metadata?.name} (${id}): ${isDone ? 'done' : 'not possible'}`);
  });
}

function performAct(act: Act, id: string, cloud: SimulatedCloud): boolean {
  switch (act) {
    case 'interrupt':
      return cloud.interrupt(id);
    case 'rebalance':
      return cloud.rebalance(id);
    case 'maintenance':
      return cloud.maintenance(id);
    case 'impair':
      return cloud.impair(id, 'instance');
    default:
      return cloud.terminate(id);
  }
}
