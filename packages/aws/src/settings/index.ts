/**
 * Flags and environment variables of the AWS provider, with
 * defaults and validation. Pure; read by the operator at start.
 */

export { type AwsSettings, awsSettings } from './aws-settings.ts';
