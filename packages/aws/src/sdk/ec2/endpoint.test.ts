import { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { type Ec2EndpointParameters, ec2Endpoint } from './endpoint.ts';

const regions = [
  'us-east-1',
  'eu-west-1',
  'ap-southeast-7',
  'us-gov-west-1',
  'us-gov-east-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-iso-east-1',
  'us-isob-east-1',
  'eu-isoe-west-1',
  'us-isof-south-1',
  'eusc-de-east-1',
  'aws-global',
  'of-no-partition-1',
  undefined,
];
const answers = [undefined, false, true];
const addresses = [undefined, 'http://127.0.0.1:5000/ec2'];

const every: readonly Ec2EndpointParameters[] = regions.flatMap((Region) =>
  answers.flatMap((UseFIPS) =>
    answers.flatMap((UseDualStack) =>
      addresses.map((Endpoint) => ({ Region, UseFIPS, UseDualStack, Endpoint })),
    ),
  ),
);

function outcome(find: (parameters: Ec2EndpointParameters) => { url: URL }, given: Ec2EndpointParameters) {
  try {
    return find(given).url.href;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
}

describe('the endpoint of EC2', () => {
  it("is where the SDK's own client finds it, in every partition", () => {
    const { endpointProvider } = new EC2Client({ region: 'us-east-1' }).config;
    const found = every.map((given) => outcome(ec2Endpoint, given));
    expect(found).toEqual(every.map((given) => outcome(endpointProvider, given)));
    expect(new Set(found).size).toBeGreaterThan(30);
  });

  it('names what requests are signed for', () => {
    const { properties } = ec2Endpoint({ Region: 'eu-west-1', Endpoint: 'http://127.0.0.1:5000' });
    expect(properties?.authSchemes).toEqual([
      { name: 'sigv4', signingName: 'ec2', signingRegion: 'eu-west-1', properties: {} },
    ]);
  });
});
