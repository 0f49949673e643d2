import { describe, expect, it } from 'vitest';
import { SdkError } from './sdk-error.ts';

const thrown = (fields: object) => Object.assign(new Error('no'), fields);
const call = (service: string) => ({ service, operation: 'Operation' });
const refused = { $fault: 'client', $metadata: { httpStatusCode: 400 } };

describe('errors of the SDK', () => {
  it('go by the code that the service sent, not by the name that the SDK gives it', () => {
    const error = thrown({ ...refused, name: 'NoSuchEntityException', Code: 'NoSuchEntity' });
    expect(new SdkError(error, call('IAM')).code).toBe('NoSuchEntity');
  });

  it('go by their name where the code is of a protocol of the past', () => {
    const Code = 'AWS.SimpleQueueService.NonExistentQueue';
    const error = thrown({ ...refused, name: 'QueueDoesNotExist', Code });
    expect(new SdkError(error, call('SQS')).code).toBe('QueueDoesNotExist');
  });

  it('go by their name where no code was sent', () => {
    const error = thrown({ ...refused, name: 'ResourceNotFoundException' });
    expect(new SdkError(error, call('EKS')).code).toBe('ResourceNotFoundException');
  });

  it('go by the code of the system where the network failed', () => {
    const error = thrown({ name: 'TimeoutError', code: 'ECONNRESET' });
    expect(new SdkError(error, call('EC2'))).toMatchObject({
      code: 'ECONNRESET',
      statusCode: 0,
      fault: 'server',
    });
  });

  it('are the fault of the service when its answer cannot be read', () => {
    const error = thrown({ name: 'SyntaxError', $metadata: { httpStatusCode: 200 } });
    expect(new SdkError(error, call('EC2'))).toMatchObject({ statusCode: 200, fault: 'server' });
  });
});
