import { timestampMs } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import { monitorNames, type TerminationEvent } from '../events/index.ts';

/**
 * Delays what is done for rebalance recommendations. EC2 often recommends to rebalance an instance that it has just
 * launched; a node that reacts at once is replaced by one that gets the next recommendation, and nodes thrash.
 */
export class RebalanceCooldown {
  readonly #cooldownMs: number;
  #from: Instant = 0;

  constructor(cooldownSeconds: number) {
    this.#cooldownMs = cooldownSeconds * 1000;
  }

  nodeCreated(timestamp: string | undefined): void {
    this.begin(timestampMs(timestamp) ?? 0);
  }

  /** Starts the delay, as after a recommendation was undone. */
  begin(at: Instant): void {
    this.#from = Math.max(this.#from, at);
  }

  /** The event with the start time at which it may be acted on. */
  delayed(event: TerminationEvent): TerminationEvent {
    if (event.monitor !== monitorNames.rebalance || this.#cooldownMs === 0) return event;
    return { ...event, startTime: Math.max(event.startTime, this.#from + this.#cooldownMs) };
  }
}
