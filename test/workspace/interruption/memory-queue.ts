import type { Sqs } from '@karpenter/aws/ports';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';

interface Message {
  readonly id: number;
  readonly body: string | undefined;
  visibleAt: number;
}

/**
 * An SQS queue in memory. Received messages are invisible for a while and come back unless they are deleted.
 */
export class MemoryQueue implements Sqs {
  readonly #clock: Clock;
  readonly #messages = new Map<number, Message>();
  #sent = 0;
  /** Whether the queue exists. */
  exists = true;
  /** Number of further deletions that fail. */
  failingDeletions = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get length(): number {
    return this.#messages.size;
  }

  send(body: string | undefined): void {
    this.#sent += 1;
    this.#messages.set(this.#sent, { id: this.#sent, body, visibleAt: 0 });
  }

  async getQueueUrl({ QueueName }: Parameters<Sqs['getQueueUrl']>[0]) {
    if (!this.exists) throw new Error('The specified queue does not exist.');
    return { QueueUrl: `https://sqs.test/${QueueName}` };
  }

  async receiveMessage(
    {
      MaxNumberOfMessages = 1,
      WaitTimeSeconds = 0,
      VisibilityTimeout = 30,
    }: Parameters<Sqs['receiveMessage']>[0],
    { signal }: Parameters<Sqs['receiveMessage']>[1] = {},
  ) {
    const found = this.#take(MaxNumberOfMessages, VisibilityTimeout);
    if (found.length > 0) return { Messages: found };
    await this.#clock.sleep(durationMs(WaitTimeSeconds * 1000), signal);
    return { Messages: this.#take(MaxNumberOfMessages, VisibilityTimeout) };
  }

  async deleteMessage({ ReceiptHandle }: Parameters<Sqs['deleteMessage']>[0]) {
    if (this.failingDeletions > 0) {
      this.failingDeletions -= 1;
      throw new Error('The service is unavailable.');
    }
    this.#messages.delete(Number(ReceiptHandle));
    return {};
  }

  #take(most: number, hiddenSeconds: number) {
    const now = this.#clock.now();
    const taken: Message[] = [];
    for (const message of this.#messages.values()) {
      if (taken.length === most) break;
      if (message.visibleAt <= now) taken.push(message);
    }
    for (const message of taken) message.visibleAt = now + hiddenSeconds * 1000;
    return taken.map(({ id, body }) => ({
      MessageId: `message-${id}`,
      ReceiptHandle: String(id),
      ...(body !== undefined && { Body: body }),
    }));
  }
}
