/** An error of an AWS service, in the shape that the AWS ports promise. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly service = 'EC2';
  readonly operation = 'Test';
  readonly statusCode: number;
  readonly requestId = 'request-1';
  readonly fault: 'client' | 'server';

  constructor(code: string, message = code, fault: 'client' | 'server' = 'client') {
    super(message);
    this.code = code;
    this.fault = fault;
    this.statusCode = fault === 'client' ? 400 : 500;
  }
}
