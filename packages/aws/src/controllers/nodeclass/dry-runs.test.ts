import { AwsRefusal, ec2NodeClass } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import type { EC2NodeClass, EC2NodeClassSpec } from '../../node-class/index.ts';
import { fleetTrial, runTrial, type Trial, verdictOn } from './dry-runs.ts';

const tags = { 'eks:eks-cluster-name': 'prod' };
const written = [{ Key: 'eks:eks-cluster-name', Value: 'prod' }];

function trial(spec: Partial<EC2NodeClassSpec> = {}): Trial {
  const nodeClass: EC2NodeClass = ec2NodeClass({
    spec: {
      ...spec,
    },
    status: {
      subnets: [
        { id: 'subnet-a', zone: 'zone-a' },
        { id: 'subnet-b', zone: 'zone-b' },
      ],
    },
  });
  return { nodeClass, template: 'karpenter.k8s.aws/1', instanceType: 'm5.large', tags };
}

describe('the CreateFleet dry run', () => {
  it('requests one on-demand type in every subnet', () => {
    expect(fleetTrial(trial({ context: 'some-context' }))).toEqual({
      DryRun: true,
      Type: 'instant',
      Context: 'some-context',
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName: 'karpenter.k8s.aws/1', Version: '$Latest' },
          Overrides: [
            { InstanceType: 'm5.large', SubnetId: 'subnet-a' },
            { InstanceType: 'm5.large', SubnetId: 'subnet-b' },
          ],
        },
      ],
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'on-demand', TotalTargetCapacity: 1 },
      OnDemandOptions: { AllocationStrategy: 'lowest-price' },
      TagSpecifications: [
        { ResourceType: 'instance', Tags: written },
        { ResourceType: 'volume', Tags: written },
        { ResourceType: 'fleet', Tags: written },
      ],
    });
    expect(fleetTrial(trial())).not.toHaveProperty('Context');
  });
});

describe('the RunInstances dry run', () => {
  const subnet = { id: 'subnet-b', zone: 'zone-b' };

  it('has one interface in the subnet', () => {
    expect(runTrial(trial(), subnet)).toEqual({
      DryRun: true,
      MinCount: 1,
      MaxCount: 1,
      LaunchTemplate: { LaunchTemplateName: 'karpenter.k8s.aws/1', Version: '$Latest' },
      InstanceType: 'm5.large',
      NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-b' }],
      TagSpecifications: [
        { ResourceType: 'instance', Tags: written },
        { ResourceType: 'volume', Tags: written },
        { ResourceType: 'network-interface', Tags: written },
      ],
    });
  });

  it('has every interface of the class in the subnet', () => {
    const networkInterfaces = [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' as const },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' as const },
    ];
    expect(runTrial(trial({ networkInterfaces }), subnet).NetworkInterfaces).toEqual([
      { NetworkCardIndex: 0, DeviceIndex: 0, InterfaceType: 'interface', SubnetId: 'subnet-b' },
      { NetworkCardIndex: 1, DeviceIndex: 1, InterfaceType: 'efa-only', SubnetId: 'subnet-b' },
    ]);
  });
});

describe('the error of a dry run', () => {
  const unauthorized = (words: string) => new AwsRefusal('UnauthorizedOperation', words);

  it('is a success if its code is DryRunOperation', () => {
    expect(verdictOn(new AwsRefusal('DryRunOperation'), 'RunInstances')).toBe('passed');
  });

  it.each([
    new AwsRefusal('RequestLimitExceeded'),
    new AwsRefusal('Unavailable', 'busy', 'server'),
    new AwsRefusal('InvalidParameterValue', 'Value (x) is invalid. Invalid IAM Instance Profile name'),
  ])('is temporary: %s', (error) => {
    expect(verdictOn(error, 'CreateFleet')).toBe('later');
  });

  it('names the policy that denies the call', () => {
    expect(
      verdictOn(
        unauthorized('not allowed with an explicit deny in a service control policy'),
        'RunInstances',
      ),
    ).toEqual({
      reason: 'RunInstancesAuthCheckFailed',
      message: `Controller isn't authorized to call ec2:RunInstances: User is not authorized to perform this operation due to a service control policy`,
    });
  });

  it('about user data fails the class only for CreateLaunchTemplate', () => {
    const error = new AwsRefusal('InvalidUserData.Malformed', 'User data is limited to 16384 bytes');
    expect(verdictOn(error, 'CreateLaunchTemplate')).toMatchObject({ reason: 'UserDataSizeLimitExceeded' });
    expect(() => verdictOn(error, 'RunInstances')).toThrow('User data is limited');
    const other = new AwsRefusal('InvalidUserData.Malformed', 'not base64');
    expect(() => verdictOn(other, 'CreateLaunchTemplate')).toThrow('not base64');
  });

  it('is rethrown if it is of any other kind', () => {
    expect(() => verdictOn(new AwsRefusal('OptInRequired'), 'CreateFleet')).toThrow('OptInRequired');
    expect(() => verdictOn(new Error('no way to EC2'), 'CreateFleet')).toThrow('no way to EC2');
  });
});
