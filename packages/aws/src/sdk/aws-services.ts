import type { AwsServices } from '../ports/index.ts';
import { bindAutoScaling } from './auto-scaling-binding.ts';
import { type CallObserver, CallTracker } from './call-observer.ts';
import { bindEc2 } from './ec2-binding.ts';
import { bindEks, bindIam, bindPricing, bindSqs, bindSsm, bindSts } from './other-bindings.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';
import { bindZonalShift } from './zonal-shift-binding.ts';

export interface AwsServicesOptions {
  readonly region: string;
  /** Of this product, for the user agent. */
  readonly version: string;
  readonly observer?: CallObserver;
  /** Another address than AWS' own, for tests over the wire. */
  readonly endpoint?: string;
  /** How long one attempt may take; defaults to 4 minutes. */
  readonly requestTimeoutMs?: number;
}

/** The ports bound to AWS by its SDK. Credentials are found as the SDK does: environment, files, the pod's role, … */
export function awsServices({ observer, ...rest }: AwsServicesOptions): AwsServices {
  const options: BindingOptions = { ...rest, tracker: new CallTracker(observer) };
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
