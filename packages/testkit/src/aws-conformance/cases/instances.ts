import assert from 'node:assert/strict';
import { type Account, endMs, present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const unknownId = 'i-00000000000000000';

async function tagged(account: Account, count: number): Promise<string> {
  const Value = account.name('cluster');
  const Tags = [{ Key: 'eks:eks-cluster-name', Value }];
  await account.running({ count, more: { TagSpecifications: [{ ResourceType: 'instance', Tags }] } });
  return Value;
}

async function runInput(account: Account) {
  const { SubnetId } = await account.subnet();
  return {
    MinCount: 1,
    MaxCount: 1,
    InstanceType: 'm5.large' as const,
    LaunchTemplate: { LaunchTemplateName: await account.template(), Version: '$Latest' },
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId }],
  };
}

const described = area('instances', {
  'an instance is pending and then running': async (account) => {
    const { Instances = [] } = await account.fleet();
    const id = present(Instances[0]?.InstanceIds?.[0], 'an instance');
    assert.match((await account.instance(id)).State?.Name ?? '', /^(pending|running)$/);
    await account.cloud.settle(10_000);
    assert.deepEqual((await account.instance(id)).State, { Code: 16, Name: 'running' });
  },
  'an instance has its zone, type and launch time': async (account) => {
    const subnet = await account.subnet();
    const [id = ''] = await account.running();
    const instance = await account.instance(id);
    assert.equal(instance.Placement?.AvailabilityZone, subnet.AvailabilityZone);
    assert.equal(instance.SubnetId, subnet.SubnetId);
    assert.equal(instance.VpcId, subnet.VpcId);
    assert.equal(instance.InstanceType, 'm5.large');
    assert.ok(instance.LaunchTime instanceof Date);
    assert.equal(instance.SpotInstanceRequestId, undefined);
  },
  'an instance has the address and name of its subnet': async (account) => {
    const [id = ''] = await account.running();
    const { PrivateIpAddress = '', PrivateDnsName = '' } = await account.instance(id);
    assert.match(PrivateIpAddress, /^\d+\.\d+\.\d+\.\d+$/);
    assert.ok(PrivateDnsName.startsWith(`ip-${PrivateIpAddress.replaceAll('.', '-')}.`));
  },
  'an instance has the security groups of its template': async (account) => {
    const [id = ''] = await account.running();
    const { SecurityGroups = [] } = await account.instance(id);
    assert.deepEqual(SecurityGroups.map(({ GroupId }) => GroupId).sort(), (await account.groupIds()).sort());
  },
  'an instance has the profile of its template': async (account) => {
    const Name = await account.profile();
    const template = await account.template({ IamInstanceProfile: { Name } });
    const [id = ''] = await account.running({ template });
    assert.ok((await account.instance(id)).IamInstanceProfile?.Arn?.endsWith(`/${Name}`));
  },
  'instances are found by tag and state': async (account) => {
    const cluster = await tagged(account, 3);
    const { Reservations = [] } = await account.aws.ec2.describeInstances({
      MaxResults: 1_000,
      Filters: [
        { Name: 'tag:eks:eks-cluster-name', Values: [cluster] },
        { Name: 'tag-key', Values: ['eks:eks-cluster-name'] },
        {
          Name: 'instance-state-name',
          Values: ['pending', 'running', 'stopping', 'stopped', 'shutting-down'],
        },
      ],
    });
    assert.equal(Reservations.flatMap(({ Instances = [] }) => Instances).length, 3);
  },
  'instances are paged': async (account) => {
    const cluster = await tagged(account, 7);
    const Filters = [{ Name: 'tag:eks:eks-cluster-name', Values: [cluster] }];
    const ids: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await account.aws.ec2.describeInstances({
        Filters,
        MaxResults: 5,
        ...(NextToken && { NextToken }),
      });
      ids.push(
        ...(page.Reservations ?? []).flatMap(({ Instances = [] }) =>
          Instances.map((each) => each.InstanceId),
        ),
      );
      NextToken = page.NextToken;
    } while (NextToken);
    assert.equal(new Set(ids).size, 7);
  },
  'ids together with a page size are rejected': async (account) => {
    const [id = ''] = await account.running();
    const call = account.aws.ec2.describeInstances({ InstanceIds: [id], MaxResults: 10 });
    await refused(call, 'InvalidParameterCombination');
  },
  'a page size below five is rejected': async ({ aws }) => {
    await refused(aws.ec2.describeInstances({ MaxResults: 4 }), /^InvalidParameterValue/);
  },
  'an unknown instance id is rejected': async ({ aws }) => {
    await refused(aws.ec2.describeInstances({ InstanceIds: [unknownId] }), 'InvalidInstanceID.NotFound');
  },
  'an unknown instance id as a filter finds nothing': async ({ aws }) => {
    const Filters = [{ Name: 'instance-id', Values: [unknownId] }];
    assert.deepEqual((await aws.ec2.describeInstances({ Filters })).Reservations, []);
  },
  'a malformed instance id is rejected': async ({ aws }) => {
    await refused(aws.ec2.describeInstances({ InstanceIds: ['instance'] }), 'InvalidInstanceID.Malformed');
  },
});

const runs = area('single launches', {
  'a dry run of RunInstances fails with DryRunOperation': async (account) => {
    const input = { ...(await runInput(account)), DryRun: true };
    const error = await refused(account.aws.ec2.runInstances(input, { retries: 'none' }), 'DryRunOperation');
    assert.equal(error.statusCode, 412);
    assert.equal(error.operation, 'RunInstances');
  },
  'RunInstances launches from a template': async (account) => {
    const { Instances = [] } = await account.aws.ec2.runInstances(await runInput(account));
    assert.equal(Instances.length, 1);
    assert.match(Instances[0]?.InstanceId ?? '', /^i-/);
  },
  'a dry run with a missing profile reports it': async (account) => {
    const LaunchTemplateName = await account.template({ IamInstanceProfile: { Name: 'no-such-profile' } });
    const input = { ...(await runInput(account)), LaunchTemplate: { LaunchTemplateName }, DryRun: true };
    const error = await refused(account.aws.ec2.runInstances(input), 'InvalidParameterValue');
    assert.match(error.message, /Invalid IAM Instance Profile name/);
  },
  'an unknown template is rejected': async (account) => {
    const input = { ...(await runInput(account)), LaunchTemplate: { LaunchTemplateName: 'none' } };
    await refused(account.aws.ec2.runInstances(input), 'InvalidLaunchTemplateName.NotFoundException');
  },
  'a count below one is rejected': async (account) => {
    const input = { ...(await runInput(account)), MinCount: 0 };
    await refused(account.aws.ec2.runInstances(input), /^InvalidParameterValue/);
  },
});

const ends = area('terminations', {
  'a terminated instance shuts down and is terminated': async (account) => {
    const [id = ''] = await account.running();
    const { TerminatingInstances = [] } = await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    assert.equal(TerminatingInstances[0]?.PreviousState?.Name, 'running');
    assert.match(TerminatingInstances[0]?.CurrentState?.Name ?? '', /^(shutting-down|terminated)$/);
    await account.cloud.settle(endMs);
    assert.equal((await account.instance(id)).State?.Name, 'terminated');
  },
  'an instance can be terminated twice': async (account) => {
    const [id = ''] = await account.running();
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
  },
  'an unknown id is rejected and nothing is terminated': async (account) => {
    const [id = ''] = await account.running();
    const call = account.aws.ec2.terminateInstances({ InstanceIds: [id, unknownId] });
    await refused(call, 'InvalidInstanceID.NotFound');
    assert.equal((await account.instance(id)).State?.Name, 'running');
  },
  'a dry run terminates nothing': async (account) => {
    const [id = ''] = await account.running();
    await refused(account.aws.ec2.terminateInstances({ InstanceIds: [id], DryRun: true }), 'DryRunOperation');
    assert.equal((await account.instance(id)).State?.Name, 'running');
  },
});

const statuses = area('instance status', {
  'a running instance has status ok': async (account) => {
    const [id = ''] = await account.running();
    const { InstanceStatuses = [] } = await account.aws.ec2.describeInstanceStatus({ InstanceIds: [id] });
    assert.equal(InstanceStatuses[0]?.InstanceStatus?.Status, 'ok');
    assert.equal(InstanceStatuses[0]?.SystemStatus?.Status, 'ok');
  },
  'only running instances are listed by default': async (account) => {
    const [id = ''] = await account.running();
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    await account.cloud.settle(endMs);
    const running = await account.aws.ec2.describeInstanceStatus({ InstanceIds: [id] });
    const all = await account.aws.ec2.describeInstanceStatus({
      InstanceIds: [id],
      IncludeAllInstances: true,
    });
    assert.equal(running.InstanceStatuses?.length, 0);
    assert.equal(all.InstanceStatuses?.length, 1);
  },
  'the filter for impaired instances finds no healthy one': async (account) => {
    await account.running();
    for (const Name of ['instance-status.status', 'system-status.status']) {
      const Filters = [{ Name, Values: ['impaired'] }];
      assert.deepEqual((await account.aws.ec2.describeInstanceStatus({ Filters })).InstanceStatuses, []);
    }
  },
});

const tags = area('tags', {
  'tags are added to an instance and replace those of the same key': async (account) => {
    const [id = ''] = await account.running();
    await account.aws.ec2.createTags({ Resources: [id], Tags: [{ Key: 'Name', Value: 'a' }] });
    await account.aws.ec2.createTags({
      Resources: [id],
      Tags: [
        { Key: 'Name', Value: 'b' },
        { Key: 'x', Value: '' },
      ],
    });
    const { Tags = [] } = await account.instance(id);
    assert.deepEqual(
      Tags.filter(({ Key }) => Key === 'Name'),
      [{ Key: 'Name', Value: 'b' }],
    );
    assert.ok(Tags.some(({ Key, Value }) => Key === 'x' && Value === ''));
  },
  'an unknown instance cannot be tagged': async ({ aws }) => {
    const call = aws.ec2.createTags({ Resources: [unknownId], Tags: [{ Key: 'a', Value: 'b' }] });
    await refused(call, 'InvalidInstanceID.NotFound');
  },
  'keys that begin with aws: are rejected': async (account) => {
    const [id = ''] = await account.running();
    const call = account.aws.ec2.createTags({ Resources: [id], Tags: [{ Key: 'aws:x', Value: 'b' }] });
    await refused(call, /^InvalidParameterValue/);
  },
  'an instance has at most fifty tags': async (account) => {
    const [id = ''] = await account.running();
    const Tags = Array.from({ length: 51 }, (_, index) => ({ Key: `key-${index}`, Value: 'x' }));
    await refused(account.aws.ec2.createTags({ Resources: [id], Tags }), 'TagLimitExceeded');
  },
});

export const instanceCases = [...described, ...runs, ...ends, ...statuses, ...tags];
