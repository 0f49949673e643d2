import { durationMs } from '@karpenter/core/values';
import type { EventStore } from '../events/index.ts';
import { errorField } from '../log/index.ts';
import { cordonedFor, type GuardedNode, labelValue, rebootedFor, undoChange } from '../node/index.ts';
import { reported } from './action-report.ts';
import type { AgentParts } from './agent-parts.ts';

const mostTries = 4;
const retryAfter = durationMs(2_000);

/** Brings the node back into use: after the reboot that it was drained for, or when a notice has passed. */
export class NodeRestoration {
  readonly #parts: AgentParts;
  readonly #writer: GuardedNode;
  readonly #store: EventStore;

  constructor(parts: AgentParts, writer: GuardedNode, store: EventStore) {
    this.#parts = parts;
    this.#writer = writer;
    this.#store = store;
  }

  /** At the start of the agent. A failure is reported and ends nothing: monitors matter more. */
  async afterStart(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    for (let tries = 1; tries <= mostTries && !signal.aborted; tries += 1) {
      try {
        await this.#restore();
        return;
      } catch (error) {
        log.error('cannot look for what an earlier agent did to the node', errorField(error));
        if (tries < mostTries) await clock.sleep(retryAfter, signal);
      }
    }
  }

  async #restore(): Promise<void> {
    const { clock, uptime } = this.#parts;
    const node = await this.#writer.read();
    const rebooted = rebootedFor(node, await uptime(), clock.now());
    const cordoned = cordonedFor(node);
    if (rebooted !== undefined) {
      await this.undo(rebooted);
      this.#store.ignore(rebooted);
      // The label holds a shortened ID; the annotation has the whole one.
      if (cordoned !== undefined && labelValue(cordoned.id) === rebooted) this.#store.ignore(cordoned.id);
    } else if (cordoned !== undefined) {
      this.#store.restore({ ...cordoned, description: '', state: '', code: '', startTime: clock.now() });
    }
  }

  async undo(eventId: string): Promise<void> {
    const node = await this.#writer.read();
    if (undoChange(node) === undefined) return;
    await reported(this.#parts, { action: 'uncordon', node, eventId }, () =>
      this.#writer.change('uncordon the node', undoChange),
    );
  }
}
