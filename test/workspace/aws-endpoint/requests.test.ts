import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServedAccount, serveAccount } from './served-account.ts';

let served: ServedAccount;

beforeEach(async () => {
  served = await serveAccount();
});
afterEach(() => served.close());

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function post({ body = '', headers = form, path = '/' }: Sent) {
  const answer = await fetch(`${served.url}${path}`, { method: 'POST', body, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function signedFor(service: string, region = 'us-west-2') {
  const scope = `anybody/20261116/${region}/${service}/aws4_request`;
  return { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0` };
}

describe('the AWS endpoint refuses', () => {
  it('an action that it does not have, and names those that it has', async () => {
    const { status, text } = await post({ body: 'Action=DescribeVolumes&Version=2016-11-15' });
    expect(status).toBe(400);
    expect(text).toContain('<Errors><Error><Code>InvalidAction</Code>');
    expect(text).toMatch(/The action DescribeVolumes is not valid .* has CreateFleet, .*TerminateInstances</);
  });

  it('a JSON operation that it does not have, in JSON', async () => {
    const headers = {
      'x-amz-target': 'AmazonSSM.PutParameter',
      'content-type': 'application/x-amz-json-1.1',
    };
    const { status, text } = await post({ body: '{}', headers });
    expect([status, JSON.parse(text).__type]).toEqual([400, 'InvalidAction']);
  });

  it('a service that it does not have, and names those that it has', async () => {
    const { status, text } = await post({ headers: { ...form, ...signedFor('s3') } });
    expect(status).toBe(400);
    expect(text).toContain('there is no service s3 in the simulated account; it has autoscaling, ec2, eks');
  });

  it('a parameter that EC2 does not have by its name', async () => {
    const body = 'Action=DescribeSubnets&Version=2016-11-15&Filters.1.Name=vpc-id';
    expect((await post({ body })).text).toContain(
      '<Code>UnknownParameter</Code><Message>The parameter Filters.1.Name is not recognized</Message>',
    );
  });

  it.each([
    ['MaxResults', 'many', 'a number'],
    ['DryRun', 'perhaps', 'true or false'],
  ])('a value of %s that has another type', async (name, value, expected) => {
    const body = `Action=DescribeInstances&Version=2016-11-15&${name}=${value}`;
    expect((await post({ body })).text).toContain(
      `<Code>InvalidParameterValue</Code><Message>Value (${value}) for parameter ${name} is invalid: it is not ${expected}</Message>`,
    );
  });

  it('JSON that cannot be read', async () => {
    const headers = { 'x-amz-target': 'AmazonSSM.GetParameter' };
    for (const body of ['{', '[]', '{"Name":1}']) {
      const { status, text } = await post({ body, headers });
      expect([status, JSON.parse(text).__type]).toEqual([400, 'SerializationException']);
    }
  });

  it('another region with advice', async () => {
    const body = 'Action=DescribeInstances&Version=2016-11-15';
    const { status, text } = await post({ body, headers: { ...form, ...signedFor('ec2', 'eu-west-1') } });
    expect(status).toBe(401);
    expect(text).toContain('<Response><Errors><Error><Code>AuthFailure</Code>');
    expect(text).toContain('set AWS_REGION=us-west-2 or pass --region us-west-2');
  });

  it.each<Record<string, string>>([{ origin: 'http://example.com' }, { 'sec-fetch-site': 'cross-site' }])(
    'what a web page sends (%j)',
    async (headers) => {
      const body = 'Action=DescribeInstances&Version=2016-11-15';
      expect(await post({ body, headers: { ...form, ...headers } })).toMatchObject({
        status: 403,
        text: expect.stringContaining('and no web pages'),
      });
    },
  );

  it('a body of more than two megabytes', async () => {
    expect((await post({ body: 'x'.repeat(2 * 1024 * 1024 + 1) })).status).toBe(413);
  });
});

describe('the AWS endpoint', () => {
  it('keeps every character of a text', async () => {
    const { account, aws } = served;
    const [id = ''] = await account.running();
    const Value = `<a & "b">\r\n\t ü 漢 'c' ]]>`;
    await aws.ec2.createTags({ Resources: [id], Tags: [{ Key: 'text', Value }] });
    const { Tags = [] } = await account.instance(id);
    expect(Tags.find(({ Key }) => Key === 'text')?.Value).toBe(Value);
  });

  it('serves queues to clients of the older query protocol', async () => {
    const { text } = await post({ body: 'Action=GetQueueUrl&Version=2012-11-05&QueueName=prod' });
    const [, url = ''] = /<QueueUrl>(.*)<\/QueueUrl>/.exec(text) ?? [];
    expect(url).toBe(`${served.url}/123456789012/prod`);
    await post({ body: `Action=SendMessage&Version=2012-11-05&QueueUrl=${url}&MessageBody=hello` });
    const received = await post({
      body: `Action=ReceiveMessage&Version=2012-11-05&QueueUrl=${url}&AttributeName.1=All`,
    });
    expect(received.text).toContain('<Body>hello</Body>');
    expect(received.text).toContain('<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value>');
    const missing = await post({ body: 'Action=GetQueueUrl&Version=2012-11-05&QueueName=none' });
    expect(missing.text).toContain('<Code>AWS.SimpleQueueService.NonExistentQueue</Code>');
  });

  it('passes on messages that the SDK sends', async () => {
    const QueueUrl = await served.account.queueUrl();
    const sender = new SQSClient({ endpoint: served.url, region: 'us-west-2' });
    await sender.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"text":"<&> ü"}' }));
    const { Messages = [] } = await served.aws.sqs.receiveMessage({ QueueUrl });
    expect(Messages.map(({ Body }) => Body)).toEqual(['{"text":"<&> ü"}']);
  });

  it('serves an administrator whatever the policies of the controllers allow', async () => {
    served.cloud.enforcePolicies([]);
    await expect(served.cloud.services.ec2.describeSubnets({})).rejects.toMatchObject({
      code: 'UnauthorizedOperation',
    });
    expect(await served.account.running()).toHaveLength(1);
    const { Arn } = await served.aws.sts.getCallerIdentity({});
    expect(Arn).toBe('arn:aws:iam::123456789012:user/administrator');
  });

  it('breaks the connection where the account loses a reply', async () => {
    served.cloud.faults.set({ lostReplies: [{ call: 'ec2:DescribeSubnets', chance: 1, times: 1 }] });
    const call = served.aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ statusCode: 0 });
  });

  it('leaves the second attempt after throttling to the caller', async () => {
    served.cloud.faults.set({ throttling: { 'ec2:describe': { burst: 1, perSecond: 0.001 } } });
    await served.aws.ec2.describeSubnets({});
    const call = served.aws.ec2.describeSubnets({}, { retries: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'RequestLimitExceeded', statusCode: 503 });
  });

  it('ends a long poll when the caller leaves', async () => {
    const QueueUrl = await served.account.queueUrl();
    const { clock } = served;
    const [before, left] = [clock.sleeping, new AbortController()];
    const call = served.aws.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }, { signal: left.signal });
    await expect.poll(() => clock.sleeping).toBe(before + 1);
    left.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => clock.sleeping).toBe(before);
  });
});
