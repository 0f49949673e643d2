import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliCluster, startCliCluster } from './aws-cli.ts';

let cluster: CliCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startCliCluster();
  client = connect(await loadConfig({ kubeconfig: cluster.kubeconfig }));
});

afterAll(async () => {
  await client.close();
  await cluster.stop();
});

const instanceIds = 'Reservations[].Instances[].InstanceId';
const running = ['--filters', 'Name=instance-state-name,Values=pending,running', '--query', instanceIds];

describe('the AWS CLI on a development cluster', () => {
  it('describes and terminates the instance of a node, which Karpenter replaces', async () => {
    const key = { namespace: 'default', name: 'inflate' };
    await client.patch(kinds.deployment, key, { type: 'merge', body: { spec: { replicas: 1 } } });
    const list = () => cluster.aws('ec2', 'describe-instances', ...running);
    await expect.poll(list, { timeout: 50_000 }).toEqual([expect.stringMatching(/^i-[0-9a-f]{17}$/)]);
    const [id] = (await list()) as string[];
    expect(await cluster.aws('ec2', 'terminate-instances', '--instance-ids', String(id))).toMatchObject({
      TerminatingInstances: [{ InstanceId: id, CurrentState: { Name: 'shutting-down' } }],
    });
    await expect.poll(list, { timeout: 50_000 }).toEqual([expect.not.stringMatching(String(id))]);
  });

  it('finds the queue and receives from it', async () => {
    const url = await cluster.aws('sqs', 'get-queue-url', '--queue-name', 'dev', '--query', 'QueueUrl');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/123456789012\/dev$/);
    const receive = ['sqs', 'receive-message', '--queue-url', String(url), '--attribute-names', 'All'];
    // Messages are for the controllers, which may have received all of them first.
    const received = await cluster.aws(...receive);
    if (received !== undefined) expect(received).toHaveProperty('Messages');
    const sent = ['sqs', 'send-message', '--queue-url', String(url), '--message-body', '{}'];
    expect(await cluster.aws(...sent)).toHaveProperty('MessageId');
  });

  it.each([
    ['sts get-caller-identity', { Account: '123456789012' }],
    ['eks describe-cluster --name dev', { cluster: { name: 'dev', status: 'ACTIVE' } }],
    ['eks list-clusters', { clusters: ['dev'] }],
    ['ec2 describe-instance-types --instance-types m5.large', { InstanceTypes: [{ VCpuInfo: {} }] }],
    [
      'ec2 describe-subnets --filters Name=availability-zone,Values=us-west-2b --max-items 1',
      { Subnets: [{ AvailabilityZone: 'us-west-2b' }] },
    ],
    ['ec2 describe-availability-zones', { AvailabilityZones: [{}, {}, {}] }],
    ['ec2 describe-capacity-reservations', { CapacityReservations: [] }],
    ['iam get-role --role-name KarpenterNodeRole-dev', { Role: { RoleName: 'KarpenterNodeRole-dev' } }],
    ['autoscaling describe-auto-scaling-groups', { AutoScalingGroups: [] }],
    [
      'pricing get-products --service-code AmazonEC2 --region us-east-1 --max-items 1',
      { FormatVersion: 'aws_v1' },
    ],
    [
      'ec2 describe-spot-price-history --instance-types m5.large --product-descriptions Linux/UNIX --max-items 1',
      { SpotPriceHistory: [{ InstanceType: 'm5.large' }] },
    ],
  ])('answers aws %s', async (command, expected) => {
    expect(await cluster.aws(...command.split(' '))).toMatchObject(expected);
  });

  it('follows pages to the end', async () => {
    const query = ['--query', 'length(InstanceTypes)'];
    const all = await cluster.aws('ec2', 'describe-instance-types', ...query);
    expect(Number(all)).toBeGreaterThan(500);
  });

  it.each([
    ['ec2 describe-volumes', /\(InvalidAction\).* the simulated ec2 has CreateFleet, /],
    ['ec2 describe-instances --instance-ids i-1', /\(InvalidInstanceID\.Malformed\)/],
    ['ec2 describe-instances --region eu-west-1', /\(AuthFailure\).*us-west-2 only, not in eu-west-1/],
    ['sqs get-queue-url --queue-name none', /\(AWS\.SimpleQueueService\.NonExistentQueue\)/],
    ['eks describe-cluster --name none', /\(ResourceNotFoundException\)/],
    ['ssm get-parameter --name none', /\(ParameterNotFound\)/],
    ['iam get-instance-profile --instance-profile-name none', /\(NoSuchEntity\)/],
    ['s3api list-buckets', /\(InvalidAction\).*there is no service s3 in the simulated account/],
    ['dynamodb list-tables', /\(InvalidAction\).*there is no service dynamodb in the simulated account/],
  ])('fails aws %s with the code of AWS', async (command, message) => {
    await expect(cluster.aws(...command.split(' '))).rejects.toThrow(message);
  });
});
