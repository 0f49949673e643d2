import { disruptionTuning } from '@karpenter/core/api';
import type { Command } from '@karpenter/core/disruption';
import { durationMs } from '@karpenter/core/values';
import type { Enqueue, Instant, Source } from '@karpenter/kube/runtime';

/** The NodeClaim of a replacement that a command waits for. */
export interface ReplacementClaim {
  readonly name: string;
  /** Sticky, as in Karpenter: a replacement that was seen initialized is not checked again. */
  isInitialized: boolean;
}

/** A command that has started: its nodes are tainted and marked for deletion, its replacements created. */
export interface RunningCommand {
  readonly id: string;
  readonly command: Command;
  readonly replacements: readonly ReplacementClaim[];
  readonly since: Instant;
}

/**
 * Commands that have started and are not finished. They live in memory only, as in Karpenter: after a restart
 * the disruption loop removes their taints and decides again.
 */
export class CommandQueue {
  readonly #commands = new Map<string, RunningCommand>();
  readonly #abandoned = new Set<string>();
  readonly #listeners = new Set<Enqueue>();

  /** Ids of the nodes that running commands disrupt; they are no candidates for other commands. */
  get nodes(): ReadonlySet<string> {
    return new Set(this.#candidates().map(({ id }) => id));
  }

  /**
   * Ids of nodes that a failed command may have marked. A write whose response was lost may have taken effect, and the
   * caches may not show it yet.
   */
  get abandoned(): ReadonlySet<string> {
    return this.#abandoned;
  }

  /** Records nodes whose taint and condition must be removed before other nodes are disrupted. */
  abandon(nodes: readonly { readonly id: string }[]): void {
    for (const { id } of nodes) this.#abandoned.add(id);
  }

  /** Drops an abandoned node: its taint and condition are removed, or the node is deleted. */
  release(id: string): void {
    this.#abandoned.delete(id);
  }

  add(running: RunningCommand): void {
    this.#commands.set(running.id, running);
    for (const enqueue of this.#listeners) enqueue(running.id);
  }

  get(id: string): RunningCommand | undefined {
    return this.#commands.get(id);
  }

  remove(id: string): void {
    this.#commands.delete(id);
  }

  /** Karpenter's timeout: 80 ms for each queued candidate, at least ten minutes and at most an hour. */
  isOverdue({ since }: RunningCommand, now: Instant): boolean {
    const { commandTimeoutPerCandidate, minCommandTimeout, maxCommandTimeout } = disruptionTuning;
    const perCandidates = commandTimeoutPerCandidate * this.#candidates().length;
    return now - since > durationMs(Math.min(maxCommandTimeout, Math.max(minCommandTimeout, perCandidates)));
  }

  /** Enqueues the id of each command that is added, beginning with those already in the queue. */
  get source(): Source {
    return {
      start: (enqueue) => {
        this.#listeners.add(enqueue);
        for (const id of this.#commands.keys()) enqueue(id);
        return () => this.#listeners.delete(enqueue);
      },
    };
  }

  #candidates() {
    return [...this.#commands.values()].flatMap(({ command }) => command.candidates);
  }
}
