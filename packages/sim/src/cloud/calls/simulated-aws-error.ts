import type { AwsError } from '@karpenter/aws/ports';
import type { Refusal } from './refusal.ts';

/** The names of a call as the SDK spells them, such as `EC2` and `CreateFleet`. */
export interface SimulatedCallName {
  readonly service: string;
  readonly operation: string;
}

/** What a caller of the simulated services catches; it has the same fields as an error of the AWS SDK. */
export class SimulatedAwsError extends Error implements AwsError {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly service: string;
  readonly operation: string;
  readonly statusCode: number;
  readonly requestId: string;
  readonly fault: 'client' | 'server';

  constructor({ service, operation }: SimulatedCallName, refusal: Refusal, requestId: string) {
    super(refusal.message);
    this.code = refusal.code;
    this.service = service;
    this.operation = operation;
    this.statusCode = refusal.statusCode;
    this.requestId = requestId;
    this.fault = refusal.fault;
  }
}
