import {
  DeleteMessage$,
  errorTypeRegistries,
  GetQueueAttributes$,
  GetQueueUrl$,
  ListQueues$,
  ReceiveMessage$,
  SendMessage$,
} from '@aws-sdk/client-sqs';
import type { AdministratorServices, SimulatedCloud } from '../../cloud/index.ts';
import { JsonProtocol } from '../protocols/json-protocol.ts';
import { operation } from '../protocols/protocol.ts';
import { QueryProtocol } from '../protocols/query-protocol.ts';
import { shapeOf, traitOf, type WireShape } from '../shapes/shape.ts';
import type { WireService } from './wire-service.ts';

/** Replies contain queue URLs of this endpoint, because SDKs send requests for a queue to its URL. */
export interface QueueAddresses {
  readonly origin: string;
  readonly cloud: SimulatedCloud;
}

export function sqsWire(services: AdministratorServices, addresses: QueueAddresses): WireService {
  const { sqs, administration } = services;
  const at = <Input extends { QueueUrl?: string | undefined }, Options>(
    call: (input: Input, options: Options) => Promise<unknown>,
  ) => {
    return (input: Input, options: Options) =>
      call({ ...input, QueueUrl: accountUrl(addresses, input.QueueUrl) }, options);
  };
  return {
    name: 'sqs',
    version: '2012-11-05',
    target: 'AmazonSQS',
    isRegional: true,
    protocols: [
      new JsonProtocol({ version: '1.0', queryCodeOf: queryCode }),
      new QueryProtocol({
        dialect: 'query',
        xmlNamespace: 'http://queue.amazonaws.com/doc/2012-11-05/',
        codeOf: queryCode,
      }),
    ],
    operations: [
      operation(DeleteMessage$, at(sqs.deleteMessage)),
      operation(GetQueueAttributes$, at(administration.getQueueAttributes)),
      operation(GetQueueUrl$, async (input, options) => {
        const { QueueUrl = '' } = await sqs.getQueueUrl(input, options);
        return { QueueUrl: endpointUrl(addresses, QueueUrl) };
      }),
      operation(ListQueues$, async (input, options) => {
        const { QueueUrls = [] } = await administration.listQueues(input, options);
        return { QueueUrls: QueueUrls.map((url) => endpointUrl(addresses, url)) };
      }),
      operation(ReceiveMessage$, at(sqs.receiveMessage)),
      operation(SendMessage$, at(administration.sendMessage)),
    ],
  };
}

function endpointUrl({ origin }: QueueAddresses, url: string): string {
  return `${origin}${new URL(url).pathname}`;
}

/** The URL of the queue in the account, found by the name at the end of the given URL. */
function accountUrl({ cloud }: QueueAddresses, url: string | undefined): string | undefined {
  return cloud.world.queues.get(url?.split('/').at(-1) ?? '')?.url ?? url;
}

/** SQS has other error codes in the query protocol, such as `AWS.SimpleQueueService.NonExistentQueue`. */
function queryCode(code: string): string {
  const isIt = (shape: WireShape) => shape.getName(true) === `com.amazonaws.sqs#${code}`;
  for (const registry of errorTypeRegistries) {
    const schema = registry.find((each) => isIt(shapeOf(each)));
    const named = schema === undefined ? undefined : traitOf(shapeOf(schema), 'awsQueryError');
    if (Array.isArray(named)) return String(named[0]);
  }
  return code;
}
