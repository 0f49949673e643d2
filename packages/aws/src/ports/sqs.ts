import type {
  DeleteMessageCommandInput,
  GetQueueUrlCommandInput,
  GetQueueUrlCommandOutput,
  ReceiveMessageCommandInput,
  ReceiveMessageCommandOutput,
} from '@aws-sdk/client-sqs';
import type { Call } from './call.ts';

export interface Sqs {
  getQueueUrl: Call<GetQueueUrlCommandInput, GetQueueUrlCommandOutput>;
  receiveMessage: Call<ReceiveMessageCommandInput, ReceiveMessageCommandOutput>;
  deleteMessage: Call<DeleteMessageCommandInput, unknown>;
}
