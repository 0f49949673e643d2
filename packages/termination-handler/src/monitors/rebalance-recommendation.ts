import { monitorNames } from '../events/index.ts';
import { MetadataDocument } from './document.ts';
import { eventId } from './event-id.ts';
import type { Monitor } from './monitor.ts';

const path = 'meta-data/events/recommendations/rebalance';

export const rebalanceMonitor: Monitor = {
  name: monitorNames.rebalance,
  path,
  parse(text) {
    if (text === undefined) return [];
    const document = new MetadataDocument(path);
    const startTime = document.time(document.object(document.parse(text)), 'noticeTime');
    const time = new Date(startTime).toISOString();
    return [
      {
        id: eventId('rebalance-recommendation', time),
        monitor: monitorNames.rebalance,
        description: `Rebalance recommendation received at ${time}`,
        state: '',
        code: '',
        startTime,
      },
    ];
  },
};
