import { CodedError } from '@karpenter/core/errors';
import type { WatchCache } from '@karpenter/kube/cache';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { Node } from 'kubernetes-types/core/v1.js';
import { actAnnotation, isNodeAct, nodeActs } from './controls.ts';
import type { FaultReport } from './fault-config.ts';
import { performOnNode } from './node-act-performance.ts';

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
    report(`${word}: ${outcomeOf(cloud, word, object)}`);
  });
}

function outcomeOf(cloud: SimulatedCloud, word: string, node: Node): string {
  const { name = '' } = node.metadata ?? {};
  if (!isNodeAct(word))
    return `cannot be done to ${name}; the annotation is one of ${Object.keys(nodeActs).join(', ')}`;
  try {
    return performOnNode(cloud, word, { name, node });
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}
