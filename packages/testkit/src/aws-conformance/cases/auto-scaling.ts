import assert from 'node:assert/strict';
import { type Account, endMs, present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const unknown = 'no-such-group';

async function members(account: Account, name: string): Promise<readonly string[]> {
  const { Instances = [] } = await account.describedGroup(name);
  return Instances.flatMap(({ InstanceId }) => InstanceId ?? []);
}

export const autoScalingCases = area('auto scaling groups', {
  'a group has as many instances as it desires': async (account) => {
    const name = await account.group({ min: 0, max: 4, desired: 2 });
    const { Instances = [], DesiredCapacity } = await account.describedGroup(name);
    assert.equal(Instances.length, 2);
    assert.equal(DesiredCapacity, 2);
  },
  'a group spreads its instances over its zones': async (account) => {
    const name = await account.group({ min: 0, max: 4, desired: 2 });
    const { Instances = [] } = await account.describedGroup(name);
    assert.equal(new Set(Instances.map(({ AvailabilityZone }) => AvailabilityZone)).size, 2);
  },
  'an instance of a group has a tag with the name of the group': async (account) => {
    const name = await account.group({ min: 0, max: 1, desired: 1 });
    const [id = ''] = await members(account, name);
    const { Tags = [] } = await account.instance(id);
    assert.ok(Tags.some(({ Key, Value }) => Key === 'aws:autoscaling:groupName' && Value === name));
  },
  'groups are found by a tag': async (account) => {
    const key = account.name('k8s.io/cluster-autoscaler');
    const name = await account.group({ min: 0, max: 1, desired: 0 }, { [key]: 'owned' });
    const { AutoScalingGroups = [] } = await account.aws.autoScaling.describeAutoScalingGroups({
      Filters: [{ Name: 'tag-key', Values: [key] }],
    });
    assert.deepEqual(
      AutoScalingGroups.map(({ AutoScalingGroupName }) => AutoScalingGroupName),
      [name],
    );
    assert.equal(AutoScalingGroups[0]?.Tags?.find(({ Key }) => Key === key)?.Value, 'owned');
  },
  'an unknown group is not described': async ({ aws }) => {
    const found = await aws.autoScaling.describeAutoScalingGroups({ AutoScalingGroupNames: [unknown] });
    assert.deepEqual(found.AutoScalingGroups ?? [], []);
  },
  'a group names its launch template and subnets': async (account) => {
    const name = await account.group({ min: 0, max: 1, desired: 0 });
    const { LaunchTemplate, VPCZoneIdentifier = '' } = await account.describedGroup(name);
    assert.match(LaunchTemplate?.LaunchTemplateId ?? '', /^lt-/);
    assert.match(VPCZoneIdentifier, /^subnet-\w+,subnet-\w+$/);
  },
  'the content of a launch template is described': async (account) => {
    const LaunchTemplateName = await account.template({ InstanceType: 'm5.large' });
    const found = await account.aws.ec2.describeLaunchTemplateVersions({
      LaunchTemplateName,
      Versions: ['$Default'],
    });
    assert.equal(found.LaunchTemplateVersions?.[0]?.LaunchTemplateData?.InstanceType, 'm5.large');
  },
  'a terminated instance is not replaced if the desired size is lowered with it': async (account) => {
    const name = await account.group({ min: 0, max: 2, desired: 2 });
    const [id = '', other] = await members(account, name);
    await account.aws.autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId: id,
      ShouldDecrementDesiredCapacity: true,
    });
    await account.cloud.settle(endMs);
    assert.equal((await account.describedGroup(name)).DesiredCapacity, 1);
    assert.deepEqual(await members(account, name), [other]);
  },
  'the minimum keeps an instance from being terminated with a lowered size': async (account) => {
    const name = await account.group({ min: 1, max: 1, desired: 1 });
    const [InstanceId = ''] = await members(account, name);
    const call = account.aws.autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: true,
    });
    await refused(call, 'ValidationError');
  },
  'an instance of no group is rejected': async (account) => {
    const [InstanceId = ''] = await account.running();
    const call = account.aws.autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: true,
    });
    await refused(call, 'ValidationError');
  },
  'a larger size launches instances and a smaller one terminates them': async (account) => {
    const name = await account.group({ min: 0, max: 3, desired: 1 });
    const resized = async (DesiredCapacity: number) => {
      await account.aws.autoScaling.updateAutoScalingGroup({ AutoScalingGroupName: name, DesiredCapacity });
      await account.cloud.settle(endMs);
      return (await members(account, name)).length;
    };
    assert.equal(await resized(3), 3);
    assert.equal(await resized(0), 0);
  },
  'minimum, desired size and maximum change together': async (account) => {
    const name = await account.group({ min: 2, max: 4, desired: 2 });
    await account.aws.autoScaling.updateAutoScalingGroup({
      AutoScalingGroupName: name,
      MinSize: 0,
      MaxSize: 0,
      DesiredCapacity: 0,
    });
    const { MinSize, MaxSize, DesiredCapacity } = await account.describedGroup(name);
    assert.deepEqual([MinSize, MaxSize, DesiredCapacity], [0, 0, 0]);
  },
  'a minimum above the maximum is rejected': async (account) => {
    const name = await account.group({ min: 0, max: 1, desired: 0 });
    const call = account.aws.autoScaling.updateAutoScalingGroup({ AutoScalingGroupName: name, MinSize: 2 });
    await refused(call, 'ValidationError');
  },
  'an unknown group cannot be updated': async ({ aws }) => {
    await refused(
      aws.autoScaling.updateAutoScalingGroup({ AutoScalingGroupName: unknown, MinSize: 0 }),
      'ValidationError',
    );
  },
  'a process is suspended and resumed': async (account) => {
    const name = await account.group({ min: 0, max: 1, desired: 0 });
    const request = { AutoScalingGroupName: name, ScalingProcesses: ['AZRebalance'] };
    const suspended = async () =>
      (await account.describedGroup(name)).SuspendedProcesses?.map(({ ProcessName }) => ProcessName);
    await account.aws.autoScaling.suspendProcesses(request);
    await account.aws.autoScaling.suspendProcesses(request);
    assert.deepEqual(await suspended(), ['AZRebalance']);
    await account.aws.autoScaling.resumeProcesses(request);
    assert.deepEqual((await suspended()) ?? [], []);
  },
  'an instance that is lost is replaced': async (account) => {
    const name = await account.group({ min: 1, max: 1, desired: 1 });
    const [id = ''] = await members(account, name);
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    await account.cloud.settle(endMs);
    const [replacement] = await members(account, name);
    assert.notEqual(present(replacement, 'a replacement'), id);
  },
  'an uneven group moves an instance to the emptier zone': async (account) => {
    const name = await account.group({ min: 0, max: 4, desired: 4 });
    const { Instances = [] } = await account.describedGroup(name);
    const [first] = Instances;
    const twins = Instances.filter(({ AvailabilityZone }) => AvailabilityZone === first?.AvailabilityZone);
    for (const { InstanceId } of twins)
      await account.aws.autoScaling.terminateInstanceInAutoScalingGroup({
        InstanceId,
        ShouldDecrementDesiredCapacity: true,
      });
    await account.cloud.settle(endMs);
    const { Instances: left = [] } = await account.describedGroup(name);
    assert.equal(left.length, 2);
    assert.equal(new Set(left.map(({ AvailabilityZone }) => AvailabilityZone)).size, 2);
  },
});
