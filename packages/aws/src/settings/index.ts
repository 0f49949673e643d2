/**
 * Flags and environment variables of the AWS provider, with defaults and validation. Pure; read by the
 * operator at start. Start with `aws-settings.ts`.
 */

export { type AwsSettings, awsSettings } from './aws-settings.ts';
