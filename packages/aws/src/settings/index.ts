/**
 * Flags and environment variables of the AWS provider, with defaults and validation. Pure; read once at
 * start-up. Start with `aws-settings.ts`.
 */

export { type AwsSettings, awsSettings } from './aws-settings.ts';
