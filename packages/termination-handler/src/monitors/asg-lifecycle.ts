import type { Instant } from '@karpenter/kube/runtime';
import { monitorNames } from '../events/index.ts';
import { eventId } from './event-id.ts';
import type { Monitor } from './monitor.ts';

const terminated = 'Terminated';

/** The document has no time in it: the event starts when it is first seen. */
export function asgLifecycleMonitor(now: () => Instant): Monitor {
  return {
    name: monitorNames.asg,
    path: 'meta-data/autoscaling/target-lifecycle-state',
    parse(text) {
      if (text?.trim() !== terminated) return [];
      return [
        {
          id: eventId('target-lifecycle-state-terminated', terminated),
          monitor: monitorNames.asg,
          description: 'ASG lifecycle state is Terminated. Instance will be terminated',
          state: '',
          code: '',
          startTime: now(),
        },
      ];
    },
  };
}
