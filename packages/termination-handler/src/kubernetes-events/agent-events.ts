import { normalEvent, warningEvent } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { type MonitorName, monitorNames } from '../events/index.ts';
import type { NodeAction } from '../metrics/index.ts';

const byMessage = { dedupeKey: ['uid', 'message'] } as const;
const node = ['Node'];

/** The reasons for which the agent publishes events, by the names of aws-node-termination-handler. */
export const agentEvents = {
  monitorError: warningEvent('MonitorError', node, byMessage),
  podEviction: normalEvent('PodEviction', ['Pod'], { dedupeWindow: durationMs(0) }),
  leftToKarpenter: normalEvent('LeftToKarpenter', node, byMessage),
} as const;

export const receivedEvents = {
  [monitorNames.spot]: normalEvent('SpotInterruption', node, byMessage),
  [monitorNames.scheduled]: normalEvent('ScheduledEvent', node, byMessage),
  [monitorNames.rebalance]: normalEvent('RebalanceRecommendation', node, byMessage),
  [monitorNames.asg]: normalEvent('ASGLifecycle', node, byMessage),
} as const satisfies Record<MonitorName, unknown>;

const reasons: Readonly<Record<NodeAction, string>> = {
  cordon: 'Cordon',
  'cordon-and-drain': 'CordonAndDrain',
  uncordon: 'Uncordon',
  'pre-drain': 'PreDrain',
};

export function actionEvent(action: NodeAction, status: 'success' | 'error') {
  const reason = reasons[action];
  return status === 'success'
    ? normalEvent(reason, node, byMessage)
    : warningEvent(`${reason}Error`, node, byMessage);
}
