import type { NodeRow } from '@karpenter/core/cluster-view';
import type { LiveCluster } from '../../cluster-view/index.ts';
import { DecisionList } from './decision-list.ts';
import type { DecisionSource } from './decision-source.ts';
import { eventDecision } from './event-decision.ts';

/**
 * Decisions as far as the events of the cluster tell them, so that the page has a timeline beside Karpenter too. An
 * event counts once, when it is first seen: repeats of it say nothing new.
 */
export function eventDecisions({
  view,
  watchKarpenterEvents,
}: Pick<LiveCluster, 'view' | 'watchKarpenterEvents'>): DecisionSource {
  const decisions = new DecisionList();
  const nodeOf = (nodeClaim: string): NodeRow | undefined =>
    [...view.nodes.values()].find((row) => row.nodeClaim === nodeClaim);
  watchKarpenterEvents((event) => {
    const decision = eventDecision(event, nodeOf);
    if (decision !== undefined) decisions.add(decision);
  });
  return {
    list: () => decisions.list(),
    subscribe: (listener) => decisions.subscribe(listener),
    unavailable: () =>
      decisions.newest === undefined
        ? 'there are no decisions yet: they are read from the events that Karpenter publishes, which the cluster keeps for an hour'
        : undefined,
  };
}
