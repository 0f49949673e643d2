import { durationMs } from '@karpenter/core/values';
import type { EventStore } from '../events/index.ts';
import { errorField } from '../log/index.ts';
import {
  type AgentNode,
  earlierCordon,
  earlierReboot,
  type GuardedNode,
  labelValue,
  rebootedFor,
  undoAfterReboot,
  undoChange,
} from '../node/index.ts';
import { reported } from './action-report.ts';
import type { AgentParts } from './agent-parts.ts';

const maxTries = 4;
const retryAfter = durationMs(2_000);

/** Brings the node back into use: after the reboot that it was drained for, or when a notice has passed. */
export class NodeRestoration {
  readonly #parts: AgentParts;
  readonly #node: GuardedNode;
  readonly #store: EventStore;

  constructor(parts: AgentParts, node: GuardedNode, store: EventStore) {
    this.#parts = parts;
    this.#node = node;
    this.#store = store;
  }

  /** At the start of the agent. A failure is reported and ends nothing: monitors matter more. */
  async afterStart(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    for (let tries = 1; tries <= maxTries && !signal.aborted; tries += 1) {
      try {
        await this.#restore();
        return;
      } catch (error) {
        log.error('cannot look for what an earlier agent did to the node', errorField(error));
        if (tries < maxTries) await clock.sleep(retryAfter, signal);
      }
    }
  }

  async #restore(): Promise<void> {
    const { clock, uptime } = this.#parts;
    const node = await this.#node.read();
    const seen = earlierReboot(node);
    if (seen !== undefined) this.#store.ignore(seen);
    const uptimeMs = await uptime();
    const rebooted = rebootedFor(node, uptimeMs, clock.now());
    if (rebooted !== undefined) await this.#returnFromReboot(node, rebooted);
    else this.#takeOver(node, uptimeMs);
  }

  /** The label holds a shortened ID; the annotation has the whole one. */
  async #returnFromReboot(node: AgentNode, label: string): Promise<void> {
    const { id = label } = earlierCordon(node) ?? {};
    const eventId = labelValue(id) === label ? id : label;
    await this.#undo(eventId, (current) => undoAfterReboot(current, eventId));
    this.#store.ignore(eventId);
  }

  #takeOver(node: AgentNode, uptimeMs: number): void {
    const cordon = earlierCordon(node);
    if (cordon === undefined) return;
    const now = this.#parts.clock.now();
    const event = { ...cordon, description: '', state: '', code: '', startTime: now };
    this.#store.restore(event, { hasRebooted: cordon.at > 0 && now - cordon.at >= uptimeMs });
  }

  /** Takes back what was done for an event that has passed. */
  async undo(eventId: string): Promise<void> {
    await this.#undo(eventId, undoChange);
  }

  async #undo(eventId: string, changeOf: typeof undoChange): Promise<void> {
    const node = await this.#node.read();
    if (changeOf(node) === undefined) return;
    await reported(this.#parts, { action: 'uncordon', node, eventId }, () =>
      this.#node.change('uncordon the node', changeOf),
    );
  }
}
