import { CodedError } from '@karpenter/core/errors';

export function templateError(problem: string): CodedError {
  return new CodedError('invalid-template', `cannot use the webhook template: ${problem}`);
}
