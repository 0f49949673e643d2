export {
  GetCallerIdentityCommand,
  STSClient as Client,
} from '@aws-sdk/client-sts';
