import type { DecisionLog } from '@karpenter/core/decisions';
import type { DecisionSource } from './decision-source.ts';

/**
 * The decisions of the controllers in this process. The address is that of their metrics, where `karpenter replay` gets
 * the cluster of a decision.
 */
export function loggedDecisions(log: DecisionLog, address: string): DecisionSource {
  return {
    list: () => log.list().toReversed(),
    subscribe: (listener) => log.watch(listener),
    unavailable: () =>
      log.isOn ? undefined : 'the controller keeps no decisions, because --decision-log-size is 0',
    replayCommand: ({ id, isReplayable }) =>
      isReplayable ? `karpenter replay ${id} --from ${address}` : undefined,
  };
}
