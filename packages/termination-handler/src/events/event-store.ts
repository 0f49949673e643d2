import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { type MonitorName, monitorNames, type TerminationEvent } from './termination-event.ts';

type Progress = 'waiting' | 'in progress' | 'failed' | 'processed';

interface Entry {
  readonly event: TerminationEvent;
  progress: Progress;
  /** Something may have been done for it, even if its handling failed. */
  isActedOn: boolean;
  /** The notice has passed or was cancelled; what was done for it is to be undone. */
  isPassed: boolean;
}

/**
 * Notices that EC2 takes back. A spot interruption and the end of an ASG lifecycle are final: a poll that does not show
 * them any more must not bring a node back into use that is about to be terminated.
 */
const revocable: ReadonlySet<MonitorName> = new Set([monitorNames.scheduled, monitorNames.rebalance]);

/**
 * The events of the node and how far each is handled. Monitors state what they see at each poll; the store notices what
 * is new and what has passed.
 */
export class EventStore {
  readonly #entries = new Map<string, Entry>();
  readonly #ignored = new Set<string>();

  /** Takes over what a monitor sees now. Returns the events that are new. */
  observe(monitor: MonitorName, events: readonly TerminationEvent[]): readonly TerminationEvent[] {
    const seen = new Set(events.map(({ id }) => id));
    for (const [id, entry] of this.#entries) {
      if (entry.event.monitor !== monitor) continue;
      if (entry.progress === 'failed') entry.progress = 'waiting';
      if (seen.has(id)) entry.isPassed = false;
      else if (revocable.has(monitor)) this.#pass(id, entry);
    }
    const added = events.filter(({ id }) => !this.#entries.has(id) && !this.#ignored.has(id));
    for (const event of added) this.#add(event, 'waiting');
    return added;
  }

  /** Adds an event that an earlier process has handled. */
  restore(event: TerminationEvent): void {
    this.#add(event, 'processed');
  }

  /** Never handles the event, as after the reboot that it announced. */
  ignore(id: string): void {
    this.#ignored.add(id);
    this.#entries.delete(id);
  }

  /** The events to handle now: those that start within the grace period, earliest first. */
  due(now: Instant, grace: DurationMs): readonly TerminationEvent[] {
    return this.#events(({ event, progress, isPassed }) => {
      return progress === 'waiting' && !isPassed && isWithin(event, now, grace);
    }).toSorted((a, b) => a.startTime - b.startTime);
  }

  get inProgress(): number {
    return this.#events(({ progress }) => progress === 'in progress').length;
  }

  begin({ id }: TerminationEvent): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) Object.assign(entry, { progress: 'in progress', isActedOn: true });
  }

  /** Marks an event as processed. */
  finish({ id }: TerminationEvent): void {
    this.#set(id, 'processed');
  }

  /** Has an event whose handling failed handled again after the next poll. */
  retry({ id }: TerminationEvent): void {
    this.#set(id, 'failed');
  }

  /** Events that have passed after something was done for them. */
  passed(): readonly TerminationEvent[] {
    return this.#events(({ isPassed, progress }) => isPassed && progress !== 'in progress');
  }

  /** Removes a passed event. */
  remove({ id }: TerminationEvent): void {
    this.#entries.delete(id);
  }

  /** Whether another event, handled or due, still needs the node out of use. */
  needsNodeOutOfUse(now: Instant, grace: DurationMs): boolean {
    return (
      this.#events(({ event, progress, isPassed }) => {
        return !isPassed && (progress !== 'waiting' || isWithin(event, now, grace));
      }).length > 0
    );
  }

  #pass(id: string, entry: Entry): void {
    if (entry.isActedOn) entry.isPassed = true;
    else this.#entries.delete(id);
  }

  #add(event: TerminationEvent, progress: Progress): void {
    this.#entries.set(event.id, { event, progress, isActedOn: progress === 'processed', isPassed: false });
  }

  #set(id: string, progress: Progress): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.progress = progress;
  }

  #events(test: (entry: Entry) => boolean): readonly TerminationEvent[] {
    return [...this.#entries.values()].filter(test).map(({ event }) => event);
  }
}

function isWithin({ startTime }: TerminationEvent, now: Instant, grace: DurationMs): boolean {
  return startTime - grace <= now;
}
