import { createHash } from 'node:crypto';
import type { Sqs } from '@karpenter/aws/ports';
import type { AccessRequest } from '../access/index.ts';
import type { Gateway } from '../calls/gateway.ts';
import { Refusal } from '../calls/refusal.ts';
import type { Queue, Received } from '../world/queue.ts';
import type { CloudWorld } from '../world/world.ts';

type OutputOf<Method extends keyof Sqs> = Awaited<ReturnType<Sqs[Method]>>;

const defaultVisibilitySeconds = 30;

/** The SQS calls for the interruption queue. */
export function sqsService(gateway: Gateway, world: CloudWorld): Sqs {
  const call = (operation: string) =>
    ({ service: 'SQS', operation, family: 'sqs', action: `sqs:${operation}` }) as const;
  return {
    getQueueUrl: gateway.operation(
      call('GetQueueUrl'),
      ({ QueueName }): OutputOf<'getQueueUrl'> => ({
        QueueUrl: queueBy(world, ({ name }) => name === QueueName).url,
      }),
      ({ QueueName = '' }) => queueAccess(world, 'GetQueueUrl', QueueName),
    ),
    receiveMessage: gateway.operation(
      call('ReceiveMessage'),
      async (input, { signal, changed }): Promise<OutputOf<'receiveMessage'>> => {
        const queue = queueBy(world, ({ url }) => url === input.QueueUrl);
        const messages = await queue.receive({
          maxMessages: messageLimit(input.MaxNumberOfMessages ?? 1),
          visibilityMs: (input.VisibilityTimeout ?? defaultVisibilitySeconds) * 1_000,
          waitMs: waitSeconds(input.WaitTimeSeconds ?? 0) * 1_000,
          ...(signal !== undefined && { signal }),
        });
        // Receiving hides messages, which is a change of the account; an empty poll changes nothing and needs
        // no save.
        if (messages.length > 0) changed();
        return messages.length === 0 ? {} : { Messages: messages.map(describe) };
      },
      ({ QueueUrl = '' }) => queueAccess(world, 'ReceiveMessage', nameIn(QueueUrl)),
    ),
    deleteMessage: gateway.operation(
      call('DeleteMessage'),
      ({ QueueUrl, ReceiptHandle = '' }) => {
        const queue = queueBy(world, ({ url }) => url === QueueUrl);
        if (!/^[0-9a-f-]{36}$/.test(ReceiptHandle)) {
          throw new Refusal(
            'ReceiptHandleIsInvalid',
            `The input receipt handle "${ReceiptHandle}" is not a valid receipt handle.`,
          );
        }
        queue.delete(ReceiptHandle);
        return {};
      },
      ({ QueueUrl = '' }) => queueAccess(world, 'DeleteMessage', nameIn(QueueUrl)),
    ),
  };
}

function queueAccess(
  { region, accountId }: CloudWorld,
  operation: string,
  name: string,
): readonly AccessRequest[] {
  const resource = `arn:aws:sqs:${region}:${accountId}:${name}`;
  return [{ action: `sqs:${operation}`, resource, context: {} }];
}

/** URLs of queues end in their name. */
function nameIn(url: string): string {
  return url.split('/').at(-1) ?? '';
}

export function queueBy({ queues }: CloudWorld, test: (queue: Queue) => boolean): Queue {
  const queue = [...queues.values()].find(test);
  if (queue !== undefined) return queue;
  throw new Refusal('QueueDoesNotExist', 'The specified queue does not exist.');
}

/** The limits of SQS: a client that requests more fails here as it does on AWS. */
function messageLimit(requested: number): number {
  if (requested >= 1 && requested <= 10) return requested;
  throw outOfRange('MaxNumberOfMessages', requested, '1 to 10');
}

function waitSeconds(requested: number): number {
  if (requested >= 0 && requested <= 20) return requested;
  throw outOfRange('WaitTimeSeconds', requested, '0 to 20');
}

function outOfRange(name: string, value: number, range: string): Refusal {
  return new Refusal(
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be >= ${range.replace(' to ', ' and <= ')}, if provided.`,
  );
}

function describe({ id, body, receipt, sentAt, receives }: Received) {
  return {
    MessageId: id,
    ReceiptHandle: receipt,
    MD5OfBody: createHash('md5').update(body).digest('hex'),
    Body: body,
    Attributes: {
      SentTimestamp: String(sentAt),
      ApproximateReceiveCount: String(receives),
    },
  };
}
