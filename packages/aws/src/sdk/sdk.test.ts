import { CodedError } from '@karpenter/core/errors';
import { type ServerExchange, startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAwsError } from '../ports/index.ts';
import { awsServices } from './aws-services.ts';
import type { ObservedCall } from './call-observer.ts';
import { discoverRegion } from './region.ts';
import { signedHeaders } from './signed-request.ts';
import { managedResource } from './zonal-shift-binding.ts';

const subnets = `<?xml version="1.0"?><DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><subnetSet><item><subnetId>subnet-1</subnetId></item></subnetSet></DescribeSubnetsResponse>`;
const refusal = (code: string) =>
  `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code><Message>not you</Message></Error></Errors><RequestID>req-1</RequestID></Response>`;

describe('the ports bound to AWS', () => {
  const kept = { ...process.env };
  let server: TestHttpServer;
  let answers: (readonly [status: number, body: string])[];
  let seen: ServerExchange[];
  let calls: string[];

  beforeEach(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'key';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
    [answers, seen, calls] = [[], [], []];
    server = await startHttpServer(
      (exchange) => {
        seen.push(exchange);
        const [status, body] = answers.shift() ?? [500, ''];
        exchange.start(status, { 'x-amzn-requestid': 'req-1' });
        exchange.end(body);
      },
      { protocol: 'http' },
    );
  });

  afterEach(async () => {
    process.env = { ...kept };
    await server.close();
  });

  function services() {
    const record = (kind: string) => (call: ObservedCall, retries?: number) =>
      calls.push([kind, call.service, call.operation, call.code, retries].join(' ').trim());
    return awsServices({
      region: 'us-east-1',
      version: '9.9.9',
      endpoint: server.url,
      observer: { onCall: record('call'), onAttempt: record('attempt') },
    });
  }

  it('send signed requests under the name of the product', async () => {
    answers = [[200, subnets]];
    const { Subnets } = await services().ec2.describeSubnets({});
    expect(Subnets).toEqual([{ SubnetId: 'subnet-1' }]);
    expect(seen[0]?.headers['user-agent']).toContain('karpenter.sh-9.9.9');
    expect(seen[0]?.headers['authorization']).toContain('Credential=key/');
    expect(calls).toEqual(['attempt EC2 DescribeSubnets 200', 'call EC2 DescribeSubnets 200 0']);
  });

  it('reject with what the service says', async () => {
    answers = [[403, refusal('UnauthorizedOperation')]];
    const error = await services()
      .ec2.describeSubnets({})
      .catch((thrown: unknown) => thrown);
    expect(isAwsError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'UnauthorizedOperation',
      message: 'not you',
      service: 'EC2',
      operation: 'DescribeSubnets',
      statusCode: 403,
      requestId: 'req-1',
      fault: 'client',
    });
    expect(calls.at(-1)).toBe('call EC2 DescribeSubnets 403 0');
  });

  it('retry errors of the service, except where the caller disables retries', async () => {
    answers = [
      [503, refusal('Unavailable')],
      [200, subnets],
      [503, refusal('Unavailable')],
    ];
    await services().ec2.describeSubnets({});
    expect(calls.at(-1)).toBe('call EC2 DescribeSubnets 200 1');
    await expect(services().ec2.describeSubnets({}, { retries: 'none' })).rejects.toMatchObject({
      code: 'Unavailable',
      fault: 'server',
    });
    expect(seen).toHaveLength(3);
  });

  it('ask before each attempt, and make no other when they are refused', async () => {
    answers = [
      [503, refusal('Unavailable')],
      [200, subnets],
    ];
    const refused = new CodedError('lease-lost', 'lost the lease');
    const beforeAttempt = () => {
      if (seen.length > 0) throw refused;
    };
    const call = services().ec2.terminateInstances({ InstanceIds: ['i-1'] }, { beforeAttempt });
    await expect(call).rejects.toBe(refused);
    expect(seen).toHaveLength(1);
  });

  it('ask again when a connection is there, which may be long after', async () => {
    answers = [[200, subnets]];
    const refused = new CodedError('lease-lost', 'lost the lease');
    let asked = 0;
    const beforeAttempt = () => {
      asked += 1;
      if (asked > 1) throw refused;
    };
    const call = services().ec2.terminateInstances({ InstanceIds: ['i-1'] }, { beforeAttempt });
    await expect(call).rejects.toBe(refused);
    expect(server.connections).toBe(1);
    expect(seen).toEqual([]);
  });

  it('say that no answer came', async () => {
    const made = services();
    await server.close();
    await expect(made.ec2.describeSubnets({}, { retries: 'none' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      statusCode: 0,
      fault: 'server',
    });
  });

  it('give up when no answer comes in time', async () => {
    const silent = await startHttpServer(() => undefined, { protocol: 'http' });
    const options = { region: 'us-east-1', version: '9.9.9', endpoint: silent.url, requestTimeoutMs: 50 };
    const call = awsServices(options).ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'ETIMEDOUT', statusCode: 0, fault: 'server' });
    await silent.close();
  });

  it('keep the client token of a fleet in a second attempt, so that it launches nothing twice', async () => {
    const bodies: Promise<string>[] = [];
    const busy = await startHttpServer(
      (exchange) => {
        bodies.push(exchange.body());
        exchange.start(503, {});
        exchange.end(refusal('Unavailable'));
      },
      { protocol: 'http' },
    );
    const { ec2 } = awsServices({ region: 'us-east-1', version: '9.9.9', endpoint: busy.url });
    const fleet = {
      TargetCapacitySpecification: { TotalTargetCapacity: 1 },
      LaunchTemplateConfigs: [],
    };
    await expect(ec2.createFleet(fleet)).rejects.toMatchObject({ code: 'Unavailable' });
    const sent = (await Promise.all(bodies)).map((body) => new URLSearchParams(body).get('ClientToken'));
    expect(sent).toHaveLength(3);
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(sent).size).toBe(1);
    await busy.close();
  });

  it('send to the endpoint that the environment names', async () => {
    process.env['AWS_ENDPOINT_URL_EC2'] = server.url;
    answers = [[200, subnets]];
    await awsServices({ region: 'us-east-1', version: '9.9.9' }).ec2.describeSubnets({});
    expect(seen).toHaveLength(1);
  });

  it('ask for zonal shifts by a request of their own', async () => {
    answers = [
      [
        200,
        JSON.stringify({
          zonalShifts: [{ awayFrom: 'use1-az1', appliedStatus: 'APPLIED', expiryTime: 1000 }],
        }),
      ],
      [404, JSON.stringify({ message: 'no such resource' })],
    ];
    const { zonalShift } = services();
    const resourceIdentifier = 'arn:aws:eks:us-east-1:1:cluster/dev';
    expect(await zonalShift.getManagedResource({ resourceIdentifier })).toEqual({
      zonalShifts: [{ awayFrom: 'use1-az1', appliedStatus: 'APPLIED', expiryTime: new Date(1_000_000) }],
    });
    expect(seen[0]?.headers['authorization']).toMatch(
      /Credential=key\/\d{8}\/us-east-1\/arc-zonal-shift\/aws4_request/,
    );
    expect(seen[0]?.url.pathname).toBe('/managedresources/arn%3Aaws%3Aeks%3Aus-east-1%3A1%3Acluster%2Fdev');
    await expect(zonalShift.getManagedResource({ resourceIdentifier })).rejects.toMatchObject({
      statusCode: 404,
      message: 'no such resource',
    });
  });
});

describe('signed requests', () => {
  it('have the signature of the published example', async () => {
    const { authorization } = await signedHeaders(
      {
        url: new URL('https://example.amazonaws.com/'),
        region: 'us-east-1',
        service: 'service',
        at: new Date('2015-08-30T12:36:00Z'),
      },
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    );
    expect(authorization).toContain(
      'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    );
  });
});

describe('answers about zonal shifts', () => {
  it('may say nothing at all', () => {
    expect(managedResource({})).toEqual({ zonalShifts: [] });
    expect(managedResource(null)).toEqual({ zonalShifts: [] });
  });
});

describe('the region', () => {
  const silent: typeof fetch = async () => {
    throw new TypeError('fetch failed');
  };

  it('is that of the environment, else that of the instance', async () => {
    expect(await discoverRegion({ env: { AWS_DEFAULT_REGION: 'eu-west-1' }, fetch: silent })).toBe(
      'eu-west-1',
    );
    const instance: typeof fetch = async (url) =>
      new Response(String(url).endsWith('/token') ? 'token' : 'us-west-2');
    expect(await discoverRegion({ env: {}, fetch: instance })).toBe('us-west-2');
  });

  it('must be known', async () => {
    await expect(discoverRegion({ env: {}, fetch: silent })).rejects.toMatchObject({
      code: 'unknown-region',
    });
  });
});
