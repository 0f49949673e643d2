import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { AwsServices } from '@karpenter/aws/ports';
import type { Account } from '@karpenter/testkit/aws-conformance';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clusterName, credentials, region } from './moto-account.ts';
import { openWireAccount, type WireAccount } from './wire-account.ts';

let wire: WireAccount;
let aws: AwsServices;
let account: Account;

beforeAll(async () => {
  wire = await openWireAccount();
  aws = wire.aws;
  account = wire.account();
});

afterAll(() => wire.close());

describe('a request', () => {
  it('has our user agent', async () => {
    await aws.ec2.describeAvailabilityZones({});
    await aws.sts.getCallerIdentity({});
    for (const { headers } of wire.requests.slice(-2)) {
      expect(headers['user-agent']).toContain('karpenter.sh-1.2.3');
    }
  });

  it('is signed for the region and the service', async () => {
    await aws.ec2.describeAvailabilityZones({});
    const authorization = String(wire.requests.at(-1)?.headers['authorization']);
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=test\/\d{8}\/us-west-2\/ec2\/aws4_request, /);
  });

  it('for a zonal shift is signed and names its resource in the path', async () => {
    const resourceIdentifier = `arn:aws:eks:${region}:123456789012:cluster/${clusterName}`;
    await aws.zonalShift.getManagedResource({ resourceIdentifier }).catch(() => undefined);
    const request = wire.requests.at(-1);
    expect(request?.path).toBe(`/managedresources/${encodeURIComponent(resourceIdentifier)}`);
    expect(request?.headers['authorization']).toContain('/us-west-2/arc-zonal-shift/aws4_request');
  });
});

describe('launches in moto', () => {
  it('distinguish spot instances by their lifecycle', async () => {
    const [spot = ''] = await account.running({ market: 'spot' });
    const [onDemand = ''] = await account.running();
    expect((await account.instance(spot)).InstanceLifecycle).toBe('spot');
    expect((await account.instance(onDemand)).InstanceLifecycle).toBeUndefined();
  });
});

describe('a message on the queue', () => {
  it('is received with its body and attributes, and is gone once deleted', async () => {
    // Not the queue of the cluster: other tests expect that one to be empty.
    const QueueName = account.name('queue');
    const sender = new SQSClient({ endpoint: inject('motoUrl'), region, credentials });
    await sender.send(new CreateQueueCommand({ QueueName }));
    const { QueueUrl } = await aws.sqs.getQueueUrl({ QueueName });
    const MessageBody = JSON.stringify({ version: '0', source: 'aws.spot', detail: { text: '<&> ü' } });
    await sender.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    const receive = () =>
      aws.sqs.receiveMessage({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
        MessageSystemAttributeNames: ['SentTimestamp'],
      });
    const { Messages = [] } = await receive();
    expect(Messages.map(({ Body }) => Body)).toEqual([MessageBody]);
    expect(Number(Messages[0]?.Attributes?.SentTimestamp)).toBeGreaterThan(0);
    await aws.sqs.deleteMessage({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle });
    expect((await receive()).Messages ?? []).toEqual([]);
  });
});

describe('error codes', () => {
  it.each([
    ['NoSuchEntity', () => aws.iam.getInstanceProfile({ InstanceProfileName: 'none' })],
    ['QueueDoesNotExist', () => aws.sqs.getQueueUrl({ QueueName: 'none' })],
    ['ParameterNotFound', () => aws.ssm.getParameter({ Name: '/none' })],
    ['ResourceNotFoundException', () => aws.eks.describeCluster({ name: 'none' })],
    [
      'InvalidInstanceID.NotFound',
      () => aws.ec2.terminateInstances({ InstanceIds: ['i-00000000000000000'] }),
    ],
    [
      'InvalidLaunchTemplateName.NotFoundException',
      () => aws.ec2.describeLaunchTemplates({ LaunchTemplateNames: ['none'] }),
    ],
  ])('include %s', async (code, call) => {
    await expect(call()).rejects.toMatchObject({ code, fault: 'client' });
  });

  it('include that of an instance profile that already exists', async () => {
    const InstanceProfileName = await account.profile();
    const call = aws.iam.createInstanceProfile({ InstanceProfileName });
    await expect(call).rejects.toMatchObject({ code: 'EntityAlreadyExists', statusCode: 409 });
  });
});
