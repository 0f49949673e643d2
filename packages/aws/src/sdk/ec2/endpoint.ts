import { EndpointError, partition } from '@aws-sdk/core/client';
import type { EndpointParameters, EndpointPartition, EndpointV2 } from '@smithy/types';

export interface Ec2EndpointParameters extends EndpointParameters {
  Region?: string | undefined;
  UseDualStack?: boolean | undefined;
  UseFIPS?: boolean | undefined;
  Endpoint?: string | undefined;
}

/** Where EC2 answers, by the rules that AWS gives for it and in the words they refuse with. */
export function ec2Endpoint(parameters: Ec2EndpointParameters): EndpointV2 {
  const { Region, Endpoint, UseFIPS: isFips = false, UseDualStack: isDualStack = false } = parameters;
  if (Endpoint !== undefined) return signedFor(customUrl(Endpoint, isFips, isDualStack), Region);
  if (Region === undefined) throw new EndpointError('Invalid Configuration: Missing Region');
  const { name, dnsSuffix, dualStackDnsSuffix, ...supports } = partition(Region);
  refuseUnsupported(supports, isFips, isDualStack);
  // The usual endpoint of the government's regions is compliant already.
  const service = isFips && (isDualStack || name !== 'aws-us-gov') ? 'ec2-fips' : 'ec2';
  const suffix = isDualStack ? dualStackDnsSuffix : dnsSuffix;
  return signedFor(new URL(`https://${service}.${Region}.${suffix}`), Region);
}

function signedFor(url: URL, region = ''): EndpointV2 {
  return {
    url,
    properties: {
      authSchemes: [{ name: 'sigv4', signingName: 'ec2', signingRegion: region, properties: {} }],
    },
  };
}

function customUrl(endpoint: string, isFips: boolean, isDualStack: boolean): URL {
  const refused = isFips ? 'FIPS' : isDualStack ? 'Dualstack' : undefined;
  if (refused === undefined) return new URL(endpoint);
  throw new EndpointError(`Invalid Configuration: ${refused} and custom endpoint are not supported`);
}

function refuseUnsupported(
  { supportsFIPS, supportsDualStack }: Pick<EndpointPartition, 'supportsFIPS' | 'supportsDualStack'>,
  isFips: boolean,
  isDualStack: boolean,
): void {
  const lacks = (isFips && !supportsFIPS) || (isDualStack && !supportsDualStack);
  if (!lacks) return;
  if (isFips && isDualStack)
    throw new EndpointError(
      'FIPS and DualStack are enabled, but this partition does not support one or both',
    );
  const name = isFips ? 'FIPS' : 'DualStack';
  throw new EndpointError(`${name} is enabled but this partition does not support ${name}`);
}
