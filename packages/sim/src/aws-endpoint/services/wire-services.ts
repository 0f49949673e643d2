import { Refusal } from '../../cloud/index.ts';
import { parametersOf, scopeOf, targetOf, type WireRequest } from '../wire-request.ts';
import { ec2Wire } from './ec2.ts';
import { autoScalingWire, eksWire, iamWire, pricingWire, ssmWire, stsWire } from './other-services.ts';
import { type QueueAddresses, sqsWire } from './sqs.ts';
import type { WireService } from './wire-service.ts';
import { zonalShiftWire } from './zonal-shift.ts';

/** Every service of the account. */
export function wireServices(addresses: QueueAddresses): readonly WireService[] {
  const services = addresses.cloud.administrator();
  return [
    autoScalingWire(services),
    ec2Wire(services),
    eksWire(services),
    iamWire(services),
    pricingWire(services),
    sqsWire(services, addresses),
    ssmWire(services),
    stsWire(services),
    zonalShiftWire(services),
  ];
}

/** The service that a request is for. Throws a Refusal if the account does not have it. */
export function serviceFor(request: WireRequest, services: readonly WireService[]): WireService {
  const signedFor = scopeOf(request)?.service;
  const found = services.find((service) => isFor(service, request, signedFor));
  if (found === undefined) throw unknownService(signedFor, services);
  return found;
}

export function refuseOtherRegions(request: WireRequest, { isRegional }: WireService, region: string): void {
  const signedFor = scopeOf(request)?.region;
  if (!isRegional || signedFor === undefined || signedFor === region) return;
  throw new Refusal(
    'AuthFailure',
    `Credential should be scoped to a valid region: the simulated account is in ${region} only, not in ${signedFor}; set AWS_REGION=${region} or pass --region ${region}`,
    { statusCode: 401 },
  );
}

function isFor({ name, target, version, protocols }: WireService, request: WireRequest, signedFor?: string) {
  if (signedFor !== undefined) return name === signedFor;
  const named = targetOf(request);
  if (named !== undefined) return named.service === target;
  const asked = parametersOf(request).get('Version');
  if (asked !== null) return asked === version;
  return version === undefined && target === undefined && protocols[0].accepts(request);
}

function unknownService(name: string | undefined, services: readonly WireService[]): Refusal {
  const what = name === undefined ? 'the request names no service of AWS' : `there is no service ${name}`;
  const known = services.map((service) => service.name).join(', ');
  return new Refusal('InvalidAction', `${what} in the simulated account; it has ${known}`);
}
