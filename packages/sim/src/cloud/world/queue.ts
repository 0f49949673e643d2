import { durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { chanceFrom, type SeededChance } from '../../objects/chance.ts';
import { uuid } from './identifiers.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly sentAt: Instant;
  visibleAt: Instant;
  receives: number;
  receipt?: string;
}

export interface SavedQueue {
  readonly name: string;
  readonly url: string;
  readonly chance: number;
  readonly messages: readonly Readonly<Message>[];
}

export interface Received {
  readonly id: string;
  readonly body: string;
  readonly receipt: string;
  readonly sentAt: Instant;
  readonly receives: number;
}

export interface ReceiveOptions {
  /** The largest number of messages in one reply. */
  readonly maxMessages: number;
  readonly visibilityMs: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

/**
 * How long a message is kept: the retention of the queue that Karpenter's CloudFormation template creates.
 */
const retentionMs = 300_000;

interface QueueOptions {
  readonly name: string;
  readonly url: string;
  readonly clock: Clock;
  readonly chance: SeededChance;
}

/** An SQS queue: a received message is hidden for a while and delivered again unless it is deleted. */
export class Queue {
  readonly name: string;
  readonly url: string;
  readonly #clock: Clock;
  readonly #chance: SeededChance;
  readonly #waiting = new Set<AbortController>();
  #messages: Message[] = [];

  constructor({ name, url, clock, chance }: QueueOptions) {
    this.name = name;
    this.url = url;
    this.#clock = clock;
    this.#chance = chance;
  }

  static restore({ name, url, chance, messages }: SavedQueue, clock: Clock): Queue {
    const queue = new Queue({ name, url, clock, chance: chanceFrom(chance) });
    queue.#messages = messages.map((message) => ({ ...message }));
    return queue;
  }

  save(): SavedQueue {
    this.#expire();
    const messages = this.#messages.map((message) => ({ ...message }));
    return { name: this.name, url: this.url, chance: this.#chance.state, messages };
  }

  /** The number of messages that are not deleted, including hidden ones. */
  get length(): number {
    this.#expire();
    return this.#messages.length;
  }

  /** Returns the id of the message. */
  send(body: string): string {
    const now = this.#clock.now();
    const id = uuid(this.#chance);
    this.#messages.push({ id, body, sentAt: now, visibleAt: now, receives: 0 });
    for (const waiting of this.#waiting) waiting.abort();
    return id;
  }

  /** The number of messages that a receiver has taken and not deleted yet. */
  get hidden(): number {
    this.#expire();
    const now = this.#clock.now();
    return this.#messages.filter(({ visibleAt }) => visibleAt > now).length;
  }

  /**
   * Long polling: resolves as soon as a message is visible, after `waitMs`, or when the signal aborts, then
   * with none.
   */
  async receive({ maxMessages, visibilityMs, waitMs, signal }: ReceiveOptions): Promise<readonly Received[]> {
    const until = this.#clock.now() + waitMs;
    for (;;) {
      const taken = this.#take(maxMessages, visibilityMs);
      const left = Math.min(until, this.#nextVisibleAt()) - this.#clock.now();
      if (taken.length > 0 || this.#clock.now() >= until || signal?.aborted === true) return taken;
      await this.#wait(Math.max(1, left), signal);
    }
  }

  /** Deletes a message. Returns whether the receipt was known; SQS itself succeeds in both cases. */
  delete(receipt: string): boolean {
    const before = this.#messages.length;
    this.#messages = this.#messages.filter((message) => message.receipt !== receipt);
    return this.#messages.length < before;
  }

  async #wait(duration: number, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new AbortController();
    const end = () => waiting.abort();
    this.#waiting.add(waiting);
    signal?.addEventListener('abort', end);
    await this.#clock.sleep(durationMs(duration), waiting.signal);
    signal?.removeEventListener('abort', end);
    this.#waiting.delete(waiting);
  }

  #nextVisibleAt(): Instant {
    return this.#messages.reduce(
      (next, { visibleAt }) => Math.min(next, visibleAt),
      Number.POSITIVE_INFINITY,
    );
  }

  #take(maxMessages: number, visibilityMs: number): readonly Received[] {
    this.#expire();
    const now = this.#clock.now();
    const ready = this.#messages.filter(({ visibleAt }) => visibleAt <= now).slice(0, maxMessages);
    return ready.map((message) => {
      const receipt = uuid(this.#chance);
      message.visibleAt = now + visibilityMs;
      message.receives += 1;
      message.receipt = receipt;
      return {
        id: message.id,
        body: message.body,
        receipt,
        sentAt: message.sentAt,
        receives: message.receives,
      };
    });
  }

  #expire(): void {
    const oldest = this.#clock.now() - retentionMs;
    this.#messages = this.#messages.filter(({ sentAt }) => sentAt > oldest);
  }
}
