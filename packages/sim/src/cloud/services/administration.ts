import { createHash } from 'node:crypto';
import type { DescribeRegionsCommandInput, DescribeRegionsCommandOutput } from '@aws-sdk/client-ec2';
import type { ListClustersCommandInput, ListClustersCommandOutput } from '@aws-sdk/client-eks';
import type {
  GetQueueAttributesCommandInput,
  GetQueueAttributesCommandOutput,
  ListQueuesCommandInput,
  ListQueuesCommandOutput,
  SendMessageCommandInput,
  SendMessageCommandOutput,
} from '@aws-sdk/client-sqs';
import type { AwsServices, Call } from '@karpenter/aws/ports';
import type { Gateway } from '../calls/gateway.ts';
import { missingParameter, Refusal } from '../calls/refusal.ts';
import type { CloudWorld } from '../world/world.ts';
import { queueBy } from './sqs.ts';

/** Calls that people make and Karpenter does not, so that no port has them. */
interface Administration {
  sendMessage: Call<SendMessageCommandInput, SendMessageCommandOutput>;
  listQueues: Call<ListQueuesCommandInput, ListQueuesCommandOutput>;
  getQueueAttributes: Call<GetQueueAttributesCommandInput, GetQueueAttributesCommandOutput>;
  listClusters: Call<ListClustersCommandInput, ListClustersCommandOutput>;
  describeRegions: Call<DescribeRegionsCommandInput, DescribeRegionsCommandOutput>;
}

/** The account for its administrator. */
export interface AdministratorServices extends AwsServices {
  readonly administration: Administration;
}

/** The limit of SQS for the text of a message, in bytes. */
const maxMessageBytes = 1024 * 1024;

export function administrationService(gateway: Gateway, world: CloudWorld): Administration {
  const sqs = (operation: string) =>
    ({ service: 'SQS', operation, family: 'sqs', action: `sqs:${operation}` }) as const;
  return {
    sendMessage: gateway.operation(sqs('SendMessage'), ({ QueueUrl, MessageBody = '' }) =>
      sendTo(world, QueueUrl, MessageBody),
    ),
    listQueues: gateway.operation(sqs('ListQueues'), ({ QueueNamePrefix = '' }) => ({
      QueueUrls: [...world.queues.values()]
        .filter(({ name }) => name.startsWith(QueueNamePrefix))
        .map(({ url }) => url),
    })),
    getQueueAttributes: gateway.operation(
      sqs('GetQueueAttributes'),
      ({ QueueUrl, AttributeNames = ['All'] }) => ({
        Attributes: chosen(attributesOf(world, QueueUrl), AttributeNames),
      }),
    ),
    listClusters: gateway.operation(
      { service: 'EKS', operation: 'ListClusters', family: 'eks', action: 'eks:ListClusters' },
      () => ({ clusters: [world.cluster.name] }),
    ),
    describeRegions: gateway.operation(
      { service: 'EC2', operation: 'DescribeRegions', family: 'ec2:describe', action: 'ec2:DescribeRegions' },
      ({ RegionNames = [] }) => ({ Regions: [regionOf(world, RegionNames)] }),
    ),
  };
}

function sendTo(world: CloudWorld, url: string | undefined, body: string) {
  const queue = queueBy(world, (each) => each.url === url);
  if (body === '') throw missingParameter('MessageBody');
  if (Buffer.byteLength(body) > maxMessageBytes)
    throw new Refusal(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxMessageBytes} bytes.`,
    );
  const MessageId = queue.send(body);
  return { MessageId, MD5OfMessageBody: createHash('md5').update(body).digest('hex') };
}

function attributesOf(world: CloudWorld, url: string | undefined): Record<string, string> {
  const queue = queueBy(world, (each) => each.url === url);
  return {
    QueueArn: `arn:aws:sqs:${world.region}:${world.accountId}:${queue.name}`,
    ApproximateNumberOfMessages: String(queue.length - queue.hidden),
    ApproximateNumberOfMessagesNotVisible: String(queue.hidden),
    VisibilityTimeout: '30',
    MessageRetentionPeriod: '300',
  };
}

function chosen(attributes: Record<string, string>, names: readonly string[]): Record<string, string> {
  if (names.includes('All')) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
}

/** The account is in one region only. */
function regionOf({ region }: CloudWorld, wanted: readonly string[]) {
  const unknown = wanted.filter((name) => name !== region);
  if (unknown.length > 0)
    throw new Refusal('InvalidParameterValue', `Invalid region names: ${unknown.join(', ')}`);
  return {
    RegionName: region,
    Endpoint: `ec2.${region}.amazonaws.com`,
    OptInStatus: 'opt-in-not-required' as const,
  };
}
