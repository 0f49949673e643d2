import { monitorNames, type TerminationEvent } from '../events/index.ts';
import { MetadataDocument } from './document.ts';
import type { Monitor } from './monitor.ts';

const path = 'meta-data/events/maintenance/scheduled';

/** States of events that will not happen any more. */
const over: ReadonlySet<string> = new Set(['completed', 'canceled']);

/**
 * Maintenance that EC2 has scheduled. An event starts at its NotBefore: EC2 announces maintenance weeks ahead, and a node
 * that is drained at the announcement would be idle until then. Completed and canceled events are left out, so that the
 * store treats them as passed.
 */
export const scheduledEventMonitor: Monitor = {
  name: monitorNames.scheduled,
  path,
  parse(text) {
    if (text === undefined) return [];
    const document = new MetadataDocument(path);
    return document.list(document.parse(text)).flatMap((item) => {
      const event = document.object(item);
      return over.has(document.text(event, 'State').toLowerCase()) ? [] : [eventOf(document, event)];
    });
  },
};

function eventOf(document: MetadataDocument, event: Readonly<Record<string, unknown>>): TerminationEvent {
  const code = document.text(event, 'Code');
  const startTime = document.time(event, 'NotBefore');
  const notAfter = Date.parse(String(event['NotAfter'] ?? ''));
  const until = Number.isFinite(notAfter) ? ` and ${new Date(notAfter).toISOString()}` : '';
  const reason = typeof event['Description'] === 'string' ? ` because ${event['Description']}` : '';
  return {
    id: document.text(event, 'EventId'),
    monitor: monitorNames.scheduled,
    description: `${code} will occur between ${new Date(startTime).toISOString()}${until}${reason}`,
    state: document.text(event, 'State'),
    code,
    startTime,
    ...(Number.isFinite(notAfter) && { endTime: notAfter }),
  };
}
