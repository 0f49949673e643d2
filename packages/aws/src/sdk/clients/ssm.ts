export {
  GetParameterCommand,
  SSMClient as Client,
} from '@aws-sdk/client-ssm';
