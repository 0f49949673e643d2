import type { BucketSize } from './token-bucket.ts';

export const apiFamilies = [
  'ec2:describe',
  'ec2:mutate',
  'ec2:fleet',
  'ec2:terminate',
  'ec2:tags',
  'iam',
  'ssm',
  'sqs',
  'pricing',
  'eks',
  'sts',
  'zonal-shift',
  'auto-scaling',
] as const;

/** Calls that share one token bucket, as EC2 throttles them. */
export type ApiFamily = (typeof apiFamilies)[number];

/** Close to the default limits of an AWS account. Faults override them per family. */
export const defaultLimits: Readonly<Record<ApiFamily, BucketSize>> = {
  'ec2:describe': { burst: 100, perSecond: 20 },
  'ec2:mutate': { burst: 50, perSecond: 5 },
  'ec2:fleet': { burst: 100, perSecond: 10 },
  'ec2:terminate': { burst: 100, perSecond: 5 },
  'ec2:tags': { burst: 100, perSecond: 10 },
  iam: { burst: 100, perSecond: 20 },
  ssm: { burst: 40, perSecond: 40 },
  sqs: { burst: 3_000, perSecond: 3_000 },
  pricing: { burst: 50, perSecond: 10 },
  eks: { burst: 100, perSecond: 10 },
  sts: { burst: 600, perSecond: 600 },
  'zonal-shift': { burst: 10, perSecond: 5 },
  'auto-scaling': { burst: 100, perSecond: 10 },
};

/** The error code with which each service throttles. */
export function throttlingCode(family: ApiFamily): string {
  if (family.startsWith('ec2:')) return 'RequestLimitExceeded';
  if (family === 'iam' || family === 'sts' || family === 'auto-scaling') return 'Throttling';
  return family === 'sqs' ? 'RequestThrottled' : 'ThrottlingException';
}
