import assert from 'node:assert/strict';
import { type Account, present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const role = ({ cloud }: Account) => `KarpenterNodeRole-${cloud.clusterName}`;

const profiles = area('instance profiles', {
  'a new profile has no role': async (account) => {
    const InstanceProfileName = account.name('profile');
    await account.aws.iam.createInstanceProfile({ InstanceProfileName });
    const { InstanceProfile } = await account.aws.iam.getInstanceProfile({ InstanceProfileName });
    assert.deepEqual(InstanceProfile?.Roles, []);
    assert.ok(InstanceProfile?.Arn?.endsWith(`:instance-profile/${InstanceProfileName}`));
  },
  'a profile keeps its path and tags': async (account) => {
    const InstanceProfileName = account.name('profile');
    const Path = `/karpenter/${account.name('path')}/`;
    const Tags = [{ Key: 'a', Value: 'b' }];
    await account.aws.iam.createInstanceProfile({ InstanceProfileName, Path, Tags });
    const { InstanceProfile } = await account.aws.iam.getInstanceProfile({ InstanceProfileName });
    assert.equal(InstanceProfile?.Path, Path);
    assert.deepEqual(InstanceProfile?.Tags, Tags);
  },
  'a name that is taken is rejected': async (account) => {
    const InstanceProfileName = await account.profile();
    await refused(account.aws.iam.createInstanceProfile({ InstanceProfileName }), /^EntityAlreadyExists/);
  },
  'an unknown profile is rejected': async ({ aws }) => {
    await refused(aws.iam.getInstanceProfile({ InstanceProfileName: 'none' }), /^NoSuchEntity/);
  },
  'a role can be added and is described with its path': async (account) => {
    const InstanceProfileName = await account.profile();
    const { InstanceProfile } = await account.aws.iam.getInstanceProfile({ InstanceProfileName });
    assert.equal(InstanceProfile?.Roles?.[0]?.RoleName, role(account));
  },
  'a missing role is rejected with a message that names it': async (account) => {
    const InstanceProfileName = account.name('profile');
    await account.aws.iam.createInstanceProfile({ InstanceProfileName });
    const call = account.aws.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: 'none' });
    assert.match((await refused(call, /^NoSuchEntity/)).message, /role/i);
  },
  'a role is described with who may take it': async (account) => {
    const { Role } = await account.aws.iam.getRole({ RoleName: role(account) });
    assert.equal(Role?.RoleName, role(account));
    assert.ok(Role?.Arn?.endsWith(`:role/${role(account)}`));
    assert.equal(typeof Role?.AssumeRolePolicyDocument, 'string');
  },
  'an unknown role is rejected': async ({ aws }) => {
    await refused(aws.iam.getRole({ RoleName: 'none' }), /^NoSuchEntity/);
  },
  'a second role is rejected': async (account) => {
    const InstanceProfileName = await account.profile();
    const call = account.aws.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: role(account) });
    await refused(call, /^LimitExceeded/);
  },
  'a profile with a role cannot be deleted': async (account) => {
    const InstanceProfileName = await account.profile();
    await refused(account.aws.iam.deleteInstanceProfile({ InstanceProfileName }), /^DeleteConflict/);
  },
  'a profile can be deleted once its role is removed': async (account) => {
    const InstanceProfileName = await account.profile();
    await account.aws.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName: role(account) });
    await account.aws.iam.deleteInstanceProfile({ InstanceProfileName });
    await refused(account.aws.iam.getInstanceProfile({ InstanceProfileName }), /^NoSuchEntity/);
  },
  'a missing role cannot be removed': async (account) => {
    const InstanceProfileName = account.name('profile');
    await account.aws.iam.createInstanceProfile({ InstanceProfileName });
    const call = account.aws.iam.removeRoleFromInstanceProfile({
      InstanceProfileName,
      RoleName: role(account),
    });
    await refused(call, /^NoSuchEntity/);
  },
  'profiles are listed by path prefix': async (account) => {
    const Path = `/karpenter/${account.name('path')}/`;
    const names = [account.name('profile'), account.name('profile')];
    for (const InstanceProfileName of names)
      await account.aws.iam.createInstanceProfile({ InstanceProfileName, Path });
    await account.aws.iam.createInstanceProfile({ InstanceProfileName: account.name('profile') });
    const { InstanceProfiles = [], IsTruncated } = await account.aws.iam.listInstanceProfiles({
      PathPrefix: Path,
    });
    assert.deepEqual(InstanceProfiles.map((each) => each.InstanceProfileName).sort(), names.sort());
    assert.equal(IsTruncated, false);
  },
  'the list of profiles is paged': async (account) => {
    const PathPrefix = `/${account.name('path')}/`;
    for (let count = 0; count < 3; count += 1) {
      const InstanceProfileName = account.name('profile');
      await account.aws.iam.createInstanceProfile({ InstanceProfileName, Path: PathPrefix });
    }
    const first = await account.aws.iam.listInstanceProfiles({ PathPrefix, MaxItems: 2 });
    assert.equal(first.IsTruncated, true);
    const Marker = present(first.Marker, 'a marker');
    const second = await account.aws.iam.listInstanceProfiles({ PathPrefix, MaxItems: 2, Marker });
    assert.equal((first.InstanceProfiles ?? []).length + (second.InstanceProfiles ?? []).length, 3);
  },
  'tags are added to a profile': async (account) => {
    const InstanceProfileName = await account.profile();
    await account.aws.iam.tagInstanceProfile({ InstanceProfileName, Tags: [{ Key: 'a', Value: 'b' }] });
    const { InstanceProfile } = await account.aws.iam.getInstanceProfile({ InstanceProfileName });
    assert.deepEqual(InstanceProfile?.Tags, [{ Key: 'a', Value: 'b' }]);
  },
});

const queues = area('queues', {
  'the queue of the cluster is found by its name': async (account) => {
    assert.ok((await account.queueUrl()).endsWith(`/${account.cloud.clusterName}`));
  },
  'an unknown queue is rejected': async ({ aws }) => {
    await refused(aws.sqs.getQueueUrl({ QueueName: 'none' }), 'QueueDoesNotExist');
  },
  'an empty queue returns no messages': async (account) => {
    const QueueUrl = await account.queueUrl();
    await account.cloud.settle(301_000);
    assert.deepEqual((await account.aws.sqs.receiveMessage({ QueueUrl })).Messages ?? [], []);
  },
  'more than ten messages at once are rejected': async (account) => {
    const QueueUrl = await account.queueUrl();
    await refused(
      account.aws.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 11 }),
      /InvalidParameterValue/,
    );
  },
  'a state change of an instance is sent to the queue': async (account) => {
    const QueueUrl = await account.queueUrl();
    await account.cloud.settle(301_000);
    const [id = ''] = await account.running();
    const { Messages = [] } = await account.aws.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    const bodies = Messages.map(({ Body }) => JSON.parse(Body ?? '{}'));
    const running = bodies.find(({ detail }) => detail['instance-id'] === id && detail.state === 'running');
    assert.equal(running?.source, 'aws.ec2');
    assert.equal(running?.['detail-type'], 'EC2 Instance State-change Notification');
  },
  'a message that is not deleted reappears after its visibility timeout': async (account) => {
    const QueueUrl = await account.queueUrl();
    await account.cloud.settle(301_000);
    await account.running();
    const receive = () =>
      account.aws.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 20 });
    const first = (await receive()).Messages ?? [];
    assert.ok(first.length > 0);
    assert.deepEqual((await receive()).Messages ?? [], []);
    await account.cloud.settle(21_000);
    const again = (await receive()).Messages ?? [];
    assert.deepEqual(
      again.map(({ MessageId }) => MessageId),
      first.map(({ MessageId }) => MessageId),
    );
  },
  'a deleted message does not reappear': async (account) => {
    const QueueUrl = await account.queueUrl();
    await account.cloud.settle(301_000);
    await account.running();
    const { Messages = [] } = await account.aws.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    for (const { ReceiptHandle } of Messages)
      await account.aws.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    await account.cloud.settle(31_000);
    assert.deepEqual((await account.aws.sqs.receiveMessage({ QueueUrl })).Messages ?? [], []);
  },
});

const cluster = area('the cluster and its account', {
  'the cluster has an endpoint, a certificate and a version': async ({ aws, cloud }) => {
    const { cluster: found } = await aws.eks.describeCluster({ name: cloud.clusterName });
    assert.match(found?.endpoint ?? '', /^https:/);
    assert.ok(found?.certificateAuthority?.data);
    assert.equal(found?.version, cloud.version);
    assert.match(found?.kubernetesNetworkConfig?.serviceIpv4Cidr ?? '', /\/\d+$/);
  },
  'an unknown cluster is rejected': async ({ aws }) => {
    await refused(aws.eks.describeCluster({ name: 'none' }), 'ResourceNotFoundException');
  },
  'the caller has an account and a name': async ({ aws }) => {
    const { Account: id, Arn } = await aws.sts.getCallerIdentity({});
    assert.match(id ?? '', /^\d{12}$/);
    assert.ok(Arn?.includes(`:${id}:`));
  },
  'no zonal shift is active at first': async ({ aws, cloud }) => {
    const { cluster: found } = await aws.eks.describeCluster({ name: cloud.clusterName });
    const resourceIdentifier = present(found?.arn, 'the ARN');
    assert.deepEqual((await aws.zonalShift.getManagedResource({ resourceIdentifier })).zonalShifts ?? [], []);
  },
  'an error names its call': async ({ aws }) => {
    const error = await refused(aws.eks.describeCluster({ name: 'none' }), 'ResourceNotFoundException');
    assert.equal(error.operation, 'DescribeCluster');
    assert.equal(error.service, 'EKS');
    assert.equal(error.fault, 'client');
    assert.equal(error.statusCode, 404);
    assert.notEqual(error.requestId, '');
  },
});

export const accountCases = [...profiles, ...queues, ...cluster];
