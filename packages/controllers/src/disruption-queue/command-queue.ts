import { disruptionTuning } from '@karpenter/core/api';
import type { Command } from '@karpenter/core/disruption';
import { durationMs } from '@karpenter/core/values';
import type { Enqueue, Instant, Source } from '@karpenter/kube/runtime';

/** A node that stands in for those that go, on its way. */
export interface AwaitedNode {
  /** Of its NodeClaim. */
  readonly name: string;
  /** Once it was seen up it is not looked at again. */
  isInitialized: boolean;
}

/** A command that has begun: nodes are tainted, replacements asked for. */
export interface RunningCommand {
  readonly id: string;
  readonly command: Command;
  readonly replacements: readonly AwaitedNode[];
  readonly since: Instant;
}

/** Commands under way. The process forgets them when it ends: the next one takes the taints back and looks anew. */
export class CommandQueue {
  readonly #commands = new Map<string, RunningCommand>();
  readonly #listeners = new Set<Enqueue>();

  /** Ids of the nodes that commands are at work on. */
  get nodes(): ReadonlySet<string> {
    return new Set(this.#all().map(({ id }) => id));
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

  /** The more nodes are under way, the longer a command may take. */
  isOverdue({ since }: RunningCommand, now: Instant): boolean {
    const { commandTimeoutPerCandidate, minCommandTimeout, maxCommandTimeout } = disruptionTuning;
    const wanted = commandTimeoutPerCandidate * this.#all().length;
    return now - since > durationMs(Math.min(maxCommandTimeout, Math.max(minCommandTimeout, wanted)));
  }

  /** Each command that is added. */
  get source(): Source {
    return {
      start: (enqueue) => {
        this.#listeners.add(enqueue);
        for (const id of this.#commands.keys()) enqueue(id);
        return () => this.#listeners.delete(enqueue);
      },
    };
  }

  #all() {
    return [...this.#commands.values()].flatMap(({ command }) => command.candidates);
  }
}
