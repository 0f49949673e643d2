export {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SQSClient as Client,
} from '@aws-sdk/client-sqs';
