import type { AwsServices } from '../ports/index.ts';
import { bindAutoScaling } from './auto-scaling-binding.ts';
import { type CallObserver, CallTracker } from './call-observer.ts';
import { bindEc2 } from './ec2-binding.ts';
import { bindEks, bindIam, bindPricing, bindSqs, bindSsm, bindSts } from './other-bindings.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';
import { bindZonalShift } from './zonal-shift-binding.ts';

export interface AwsServicesOptions {
  readonly region: string;
  /** Version of Karpenter, for the user agent. */
  readonly version: string;
  readonly observer?: CallObserver;
  /** Replaces the endpoints of AWS, for tests over HTTP. */
  readonly endpoint?: string;
  /** How long one attempt may take; defaults to 4 minutes. */
  readonly requestTimeoutMs?: number;
}

/** Binds the ports to the AWS SDK. Credentials come from the SDK's default chain: environment, files, pod role, … */
export function awsServices({ observer, ...rest }: AwsServicesOptions): AwsServices {
  const options: BindingOptions = { ...rest, tracker: new CallTracker(observer) };
  // Only for its credentials: zonal shifts have no SDK client here.
  const credentialed = new ServiceBinding('STS', options, () => import('./clients/sts.ts'));
  return {
    ec2: bindEc2(options),
    sqs: bindSqs(options),
    ssm: bindSsm(options),
    iam: bindIam(options),
    pricing: bindPricing(options),
    eks: bindEks(options),
    sts: bindSts(options),
    autoScaling: bindAutoScaling(options),
    zonalShift: bindZonalShift({
      ...options,
      now: () => Date.now(),
      credentials: async () => (await credentialed.loaded()).client.config.credentials(),
    }),
  };
}
