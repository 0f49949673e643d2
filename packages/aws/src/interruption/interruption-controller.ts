import type { Message } from '@aws-sdk/client-sqs';
import { seconds } from '@karpenter/core/api';
import type { Counters, Log } from '@karpenter/core/ports';
import type { Clock, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { errorText } from '../aws-errors/index.ts';
import { awsControllerNames, awsMetrics, interruptionTuning } from '../names/index.ts';
import type { Sqs } from '../ports/index.ts';
import type { InterruptionHandler } from './interruption-handler.ts';
import { type InterruptionMessage, parseMessage } from './interruption-message.ts';
import { Once } from './once.ts';
import { inParallel } from './parallel-work.ts';

export interface InterruptionOptions {
  readonly sqs: Sqs;
  readonly queueName: string;
  readonly handler: Pick<InterruptionHandler, 'handle'>;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly log: Log;
}

/** No pause: receiving is a long poll, which itself waits for messages. */
const atOnce: ReconcileResult = { requeueAfter: seconds(0) };

/**
 * Receives messages from the SQS queue and deletes the ones it handled. A message that fails stays in the
 * queue and reappears after its visibility timeout.
 */
export class InterruptionController implements Singleton {
  readonly name = awsControllerNames.interruption;
  readonly #options: InterruptionOptions;
  /** Deduplicates messages by id: SQS and EventBridge both deliver at least once. */
  readonly #handled: Once;
  #queueUrl: string | undefined;

  constructor(options: InterruptionOptions) {
    this.#options = options;
    this.#handled = new Once({ now: () => options.clock.now(), lifetime: interruptionTuning.memory });
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const queueUrl = await this.#findQueue(signal);
    const { messagesPerReceive, receiveWait, visibilityTimeout } = interruptionTuning;
    const { Messages = [] } = await this.#options.sqs.receiveMessage(
      {
        QueueUrl: queueUrl,
        MaxNumberOfMessages: messagesPerReceive,
        WaitTimeSeconds: receiveWait / seconds(1),
        VisibilityTimeout: visibilityTimeout / seconds(1),
        MessageSystemAttributeNames: ['SentTimestamp'],
        MessageAttributeNames: ['All'],
      },
      { signal },
    );
    await inParallel(Messages, messagesPerReceive, (message) => this.#process(queueUrl, message));
    return atOnce;
  }

  /** Looks the queue up until it exists, so that it can be created after the controller starts. */
  async #findQueue(signal: AbortSignal): Promise<string> {
    if (this.#queueUrl !== undefined) return this.#queueUrl;
    const { sqs, queueName, log } = this.#options;
    const { QueueUrl = '' } = await sqs.getQueueUrl({ QueueName: queueName }, { signal });
    log.debug('watching interruption queue', { queue: queueName });
    this.#queueUrl = QueueUrl;
    return QueueUrl;
  }

  /** Deletes malformed messages too, because a retry cannot parse them either. */
  async #process(queueUrl: string, message: Message): Promise<void> {
    const parsed = parseMessage(message.Body);
    if ('malformed' in parsed) {
      this.#options.log.error('failed parsing interruption message', {
        error: parsed.malformed,
        'message-id': message.MessageId ?? '',
      });
      return this.#delete(queueUrl, message);
    }
    const { clock, counters } = this.#options;
    // Counts every parsed message, `no_op` included; the duration below counts only those that were handled.
    counters.increment(awsMetrics.interruptionMessagesReceived, { message_type: parsed.kind });
    await this.#handle(parsed);
    if (parsed.at !== undefined) {
      const duration = (clock.now() - parsed.at) / seconds(1);
      counters.observe(awsMetrics.interruptionMessageQueueDuration, {}, duration);
    }
    // Last, so that SQS delivers the message again if its handling fails or the process ends.
    await this.#delete(queueUrl, message);
  }

  async #handle({ id, kind, instanceIds }: InterruptionMessage): Promise<void> {
    const { handler, log } = this.#options;
    const work = () => handler.handle(kind, instanceIds);
    try {
      await (id === '' ? work() : this.#handled.run(id, work));
    } catch (error) {
      log.error('failed handling interruption message', { kind, id, error: errorText(error) });
      throw error;
    }
  }

  async #delete(queueUrl: string, { ReceiptHandle }: Message): Promise<void> {
    await this.#options.sqs.deleteMessage({ QueueUrl: queueUrl, ReceiptHandle });
    this.#options.counters.increment(awsMetrics.interruptionMessagesDeleted, {});
  }
}
