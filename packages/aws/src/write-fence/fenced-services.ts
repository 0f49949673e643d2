import type { WriteFence } from '@karpenter/kube/runtime';
import type { AwsServices, CallOptions } from '../ports/index.ts';
import { type Effects, portEffects } from './port-effects.ts';

/** Checks the fence before every write, and again before each attempt of it: retries may take minutes (ADR 0036). */
export function fencedServices(services: AwsServices, fence: WriteFence): AwsServices {
  const { ec2, sqs, ssm, iam, pricing, eks, sts, zonalShift, autoScaling } = portEffects;
  return {
    ec2: fencedPort(services.ec2, ec2, fence),
    sqs: fencedPort(services.sqs, sqs, fence),
    ssm: fencedPort(services.ssm, ssm, fence),
    iam: fencedPort(services.iam, iam, fence),
    pricing: fencedPort(services.pricing, pricing, fence),
    eks: fencedPort(services.eks, eks, fence),
    sts: fencedPort(services.sts, sts, fence),
    zonalShift: fencedPort(services.zonalShift, zonalShift, fence),
    autoScaling: fencedPort(services.autoScaling, autoScaling, fence),
  };
}

/** A method that the table does not list counts as a write. */
function fencedPort<Port extends object>(port: Port, effects: Effects<Port>, fence: WriteFence): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function' || Reflect.get(effects, name) === 'read') return call;
      return async (input: unknown, options: CallOptions = {}): Promise<unknown> => {
        fence.check();
        const fenced: CallOptions = { ...options, beforeAttempt: () => fence.check() };
        return Reflect.apply(call, target, [input, fenced]);
      };
    },
  });
}
