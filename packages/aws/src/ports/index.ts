/**
 * Narrow interfaces to the AWS services in use, with the SDK's input and output types. `sdk` binds them to
 * AWS and `@karpenter/sim` to an account in memory; nothing else in this package knows which. No I/O here.
 * Start with `ec2.ts`.
 */

import type { AutoScaling } from './auto-scaling.ts';
import type { Ec2 } from './ec2.ts';
import type { Eks } from './eks.ts';
import type { Iam } from './iam.ts';
import type { Pricing } from './pricing.ts';
import type { Sqs } from './sqs.ts';
import type { Ssm } from './ssm.ts';
import type { Sts } from './sts.ts';
import type { ZonalShiftService } from './zonal-shift.ts';

export type { AutoScaling } from './auto-scaling.ts';
export { type AwsError, isAwsError } from './aws-error.ts';
export type { Call, CallOptions, CallOutput } from './call.ts';
export type { Ec2 } from './ec2.ts';
export type { Eks } from './eks.ts';
export type { Iam } from './iam.ts';
export type { Pricing } from './pricing.ts';
export type { Sqs } from './sqs.ts';
export type { Ssm } from './ssm.ts';
export type { Sts } from './sts.ts';
export type { ManagedResource, ZonalShift, ZonalShiftService } from './zonal-shift.ts';

/** The AWS services in use. Production binds them to the SDK, the simulator to an account in memory. */
export interface AwsServices {
  readonly ec2: Ec2;
  readonly sqs: Sqs;
  readonly ssm: Ssm;
  readonly iam: Iam;
  readonly pricing: Pricing;
  readonly eks: Eks;
  readonly sts: Sts;
  readonly zonalShift: ZonalShiftService;
  readonly autoScaling: AutoScaling;
}
