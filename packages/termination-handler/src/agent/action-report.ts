import type { LogFields } from '@karpenter/core/ports';
import { kinds } from '@karpenter/kube/client';
import { eventKinds, type TerminationEvent } from '../events/index.ts';
import { actionEvent } from '../kubernetes-events/index.ts';
import { errorField } from '../log/index.ts';
import { countAction, type NodeAction } from '../metrics/index.ts';
import type { AgentNode } from '../node/index.ts';
import type { AgentParts } from './agent-parts.ts';

type ReportParts = Pick<AgentParts, 'log' | 'meters' | 'recorder' | 'settings'>;

export interface ReportedAction {
  readonly action: NodeAction;
  readonly node: AgentNode;
  readonly eventId: string;
}

/** Runs an action on the node, and reports how it ended in the log, the metrics and as a Kubernetes event. */
export async function reported<T>(
  parts: ReportParts,
  subject: ReportedAction,
  run: () => Promise<T>,
): Promise<T> {
  try {
    const result = await run();
    report(parts, subject, undefined);
    return result;
  } catch (error) {
    report(parts, subject, error);
    throw error;
  }
}

function report(parts: ReportParts, { action, node, eventId }: ReportedAction, error: unknown): void {
  const { log, meters, recorder } = parts;
  const nodeName = node.metadata?.name ?? '';
  const status = error === undefined ? 'success' : 'error';
  countAction(meters, { action, status, nodeName, eventId });
  const fields: LogFields = {
    node_name: nodeName,
    event_id: eventId,
    ...(error !== undefined && errorField(error)),
  };
  if (error === undefined) log.info(`${action} of the node succeeded`, fields);
  else log.error(`${action} of the node failed`, fields);
  const message =
    error === undefined ? `${action} of node ${nodeName} succeeded` : String(fields['error'] ?? '');
  recorder?.publish({ definition: actionEvent(action, status), kind: kinds.node, object: node, message });
}

/** Log fields of an event; version 2 of the format has its type too. */
export function eventFields({ settings }: Pick<AgentParts, 'settings'>, event: TerminationEvent): LogFields {
  return {
    event_id: event.id,
    monitor: event.monitor,
    description: event.description,
    start_time: new Date(event.startTime).toISOString(),
    ...(settings.logFormatVersion === 2 && { event_type: eventKinds[event.monitor] }),
  };
}
