import type { LogFields } from '@karpenter/core/ports';
import { isAwsError } from '../ports/index.ts';

/** Log fields of the AWS call that caused an error; empty if none did. */
export function awsErrorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return {};
  if (!isAwsError(error)) return awsErrorFields(error.cause);
  return {
    'aws-request-id': error.requestId,
    'aws-operation-name': error.operation,
    'aws-service-name': error.service,
    'aws-status-code': error.statusCode,
    'aws-error-code': error.code,
  };
}
