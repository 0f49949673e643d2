import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { type MonitorName, monitorNames, type TerminationEvent } from './termination-event.ts';

type Progress = 'waiting' | 'in progress' | 'failed' | 'processed' | 'restored';

interface Entry {
  event: TerminationEvent;
  /** Whether it has passed when its monitor does not show it any more. */
  readonly isRevocable: boolean;
  progress: Progress;
  /** Something may have been done for it, even if its handling failed. */
  isActedOn: boolean;
  /** The notice has passed or was cancelled; the agent undoes what it did for it. */
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
    const seen = new Map(events.map((event) => [event.id, event]));
    for (const [id, entry] of this.#entries) {
      if (entry.event.monitor !== monitor) continue;
      if (entry.progress === 'failed') entry.progress = 'waiting';
      const event = seen.get(id);
      if (event !== undefined) seeAgain(entry, event);
      else if (entry.isRevocable) this.#pass(id, entry);
    }
    const added = events.filter(({ id }) => !this.#entries.has(id) && !this.#ignored.has(id));
    for (const event of added) this.#add(event, { progress: 'waiting', isRevocable: revocable.has(monitor) });
    return added;
  }

  /**
   * Adds an event for which an earlier process has cordoned the node. Whether the drain was complete is unknown, so it
   * is handled again if its monitor still shows it. After a reboot of the host even a spot interruption is over.
   */
  restore(event: TerminationEvent, options: { readonly hasRebooted: boolean }): void {
    const isRevocable = options.hasRebooted || revocable.has(event.monitor);
    this.#add(event, { progress: 'restored', isRevocable });
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
      this.#events(({ event, isActedOn, isPassed }) => {
        return !isPassed && (isActedOn || isWithin(event, now, grace));
      }).length > 0
    );
  }

  #pass(id: string, entry: Entry): void {
    if (entry.isActedOn) entry.isPassed = true;
    else this.#entries.delete(id);
  }

  #add(event: TerminationEvent, start: Pick<Entry, 'progress' | 'isRevocable'>): void {
    const isActedOn = start.progress === 'restored';
    this.#entries.set(event.id, { event, ...start, isActedOn, isPassed: false });
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

/** Of a restored event only the ID was known. */
function seeAgain(entry: Entry, event: TerminationEvent): void {
  entry.isPassed = false;
  if (entry.progress === 'restored') Object.assign(entry, { progress: 'waiting', event });
}
