import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from './fault-proxy.ts';
import { alters, drops, ec2Refusal, replies, silenceOn, withFleetError } from './fault-replies.ts';
import { clusterName } from './moto-account.ts';
import { openWireAccount, type WireAccount, type WireOptions } from './wire-account.ts';

const open: WireAccount[] = [];

afterEach(async () => {
  for (const wire of open.splice(0)) await wire.close();
});

async function awsWith(
  faults: readonly Fault[],
  options: Omit<WireOptions, 'faults'> = {},
): Promise<WireAccount> {
  const wire = await openWireAccount({ ...options, faults });
  open.push(wire);
  return wire;
}

const throttled = ec2Refusal(503, 'RequestLimitExceeded', 'Request limit exceeded.');

describe('throttling', () => {
  it('is retried until it ends', async () => {
    const { aws, sent } = await awsWith([replies('DescribeSubnets', throttled, throttled)]);
    const { Subnets = [] } = await aws.ec2.describeSubnets({});
    expect(Subnets.length).toBeGreaterThanOrEqual(3);
    expect(sent('DescribeSubnets')).toBe(3);
  });

  it('fails with its code after the third attempt', async () => {
    const { aws, sent } = await awsWith([replies('DescribeSubnets', throttled, throttled, throttled)]);
    await expect(aws.ec2.describeSubnets({})).rejects.toMatchObject({
      name: 'AwsError',
      code: 'RequestLimitExceeded',
      service: 'EC2',
      operation: 'DescribeSubnets',
      statusCode: 503,
      requestId: 'request-1',
      message: 'Request limit exceeded.',
    });
    expect(sent('DescribeSubnets')).toBe(3);
  });

  it('fails at once if the caller wants no retries', async () => {
    const { aws, sent } = await awsWith([replies('DescribeSubnets', throttled)]);
    const call = aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'RequestLimitExceeded' });
    expect(sent('DescribeSubnets')).toBe(1);
  });
});

describe('errors', () => {
  it('that a retry cannot fix are not retried', async () => {
    const denied = ec2Refusal(403, 'UnauthorizedOperation', 'You are not authorized to perform this.');
    const { aws, sent } = await awsWith([replies('DescribeSubnets', denied)]);
    await expect(aws.ec2.describeSubnets({})).rejects.toMatchObject({
      code: 'UnauthorizedOperation',
      statusCode: 403,
      fault: 'client',
    });
    expect(sent('DescribeSubnets')).toBe(1);
  });

  it('with a 5xx status are the fault of the server', async () => {
    const broken = ec2Refusal(500, 'InternalError', 'An internal error has occurred');
    const { aws } = await awsWith([replies('DescribeSubnets', broken)]);
    const call = aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'InternalError', statusCode: 500, fault: 'server' });
  });
});

describe('a fleet of which a pool has no capacity', () => {
  const lacking = { type: 'm5.xlarge', code: 'InsufficientInstanceCapacity' };

  it('returns instances of other pools and the error of this one', async () => {
    const { account } = await awsWith([alters('CreateFleet', (body) => withFleetError(body, lacking))]);
    const { Instances = [], Errors = [] } = await account().fleet();
    expect(Instances.flatMap(({ InstanceIds = [] }) => InstanceIds)).toHaveLength(1);
    expect(Errors).toMatchObject([
      {
        ErrorCode: 'InsufficientInstanceCapacity',
        ErrorMessage: 'no capacity',
        Lifecycle: 'on-demand',
        LaunchTemplateAndOverrides: {
          Overrides: { InstanceType: 'm5.xlarge', AvailabilityZone: 'us-west-2a' },
        },
      },
    ]);
  });

  it('is requested once, because the call itself succeeds', async () => {
    const { account, sent } = await awsWith([alters('CreateFleet', (body) => withFleetError(body, lacking))]);
    await account().fleet();
    expect(sent('CreateFleet')).toBe(1);
  });
});

describe('a connection', () => {
  it('that breaks is opened again', async () => {
    const { aws, sent } = await awsWith([drops('DescribeSubnets', 2)]);
    expect((await aws.ec2.describeSubnets({})).Subnets).not.toHaveLength(0);
    expect(sent('DescribeSubnets')).toBe(3);
  });

  it('that keeps breaking fails with the system error code, without a status', async () => {
    const { aws } = await awsWith([drops('DescribeSubnets', 1)]);
    const call = aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({
      name: 'AwsError',
      code: 'ECONNRESET',
      statusCode: 0,
      requestId: '',
      fault: 'server',
    });
  });

  it('without a reply fails after the timeout', async () => {
    const { aws } = await awsWith([silenceOn('DescribeSubnets')], { requestTimeoutMs: 200 });
    const call = aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'ETIMEDOUT', statusCode: 0, fault: 'server' });
  });

  it('is aborted with its caller', async () => {
    const given = new AbortController();
    const abandon: Fault = async ({ operation }) => {
      if (operation !== 'DescribeSubnets') return undefined;
      given.abort();
      return 'silence';
    };
    const { aws, sent } = await awsWith([abandon]);
    const call = aws.ec2.describeSubnets({}, { signal: given.signal });
    await expect(call).rejects.toMatchObject({ name: 'AwsError', code: 'AbortError', statusCode: 0 });
    expect(sent('DescribeSubnets')).toBe(1);
  });
});

describe('a truncated reply', () => {
  it('fails the call with the status, and never returns a partial list', async () => {
    const half = (body: string) => body.slice(0, body.length / 2);
    const { aws } = await awsWith([alters('DescribeSubnets', half)]);
    await expect(aws.ec2.describeSubnets({})).rejects.toMatchObject({
      name: 'AwsError',
      operation: 'DescribeSubnets',
      statusCode: 200,
      fault: 'server',
    });
  });

  it('that is not XML fails the call', async () => {
    const { aws } = await awsWith([alters('DescribeSubnets', () => 'Service Unavailable')]);
    await expect(aws.ec2.describeSubnets({})).rejects.toMatchObject({ operation: 'DescribeSubnets' });
  });

  it('that is broken JSON fails the call', async () => {
    const { aws } = await awsWith([alters('GetQueueUrl', (body) => body.slice(0, -3))]);
    const call = aws.sqs.getQueueUrl({ QueueName: clusterName });
    await expect(call).rejects.toMatchObject({ name: 'AwsError', service: 'SQS', operation: 'GetQueueUrl' });
  });
});
