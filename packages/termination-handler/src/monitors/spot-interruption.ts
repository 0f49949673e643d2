import { monitorNames } from '../events/index.ts';
import { MetadataDocument } from './document.ts';
import { eventId } from './event-id.ts';
import type { Monitor } from './monitor.ts';

const path = 'meta-data/spot/instance-action';

export const spotInterruptionMonitor: Monitor = {
  name: monitorNames.spot,
  path,
  parse(text) {
    if (text === undefined) return [];
    const document = new MetadataDocument(path);
    const notice = document.object(document.parse(text));
    const action = document.text(notice, 'action');
    const startTime = document.time(notice, 'time');
    const time = new Date(startTime).toISOString();
    return [
      {
        id: eventId('spot-itn', action, time),
        monitor: monitorNames.spot,
        description: `Spot ITN received. Instance will be interrupted at ${time}`,
        state: '',
        code: '',
        startTime,
      },
    ];
  },
};
