export { type AwsSettings, awsSettings } from './aws-settings.ts';
