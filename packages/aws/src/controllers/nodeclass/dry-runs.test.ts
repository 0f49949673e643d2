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

describe('the fleet that is tried', () => {
  it('is an ordinary one on demand, of one type in every subnet', () => {
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

describe('the instance that is tried', () => {
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

  it('has every interface that the class asks for there', () => {
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

describe('a refusal', () => {
  const unauthorized = (words: string) => new AwsRefusal('UnauthorizedOperation', words);

  it('that only says that the run was dry is a success', () => {
    expect(verdictOn(new AwsRefusal('DryRunOperation'), 'RunInstances')).toBe('passed');
  });

  it.each([
    new AwsRefusal('RequestLimitExceeded'),
    new AwsRefusal('Unavailable', 'busy', 'server'),
    new AwsRefusal('InvalidParameterValue', 'Value (x) is invalid. Invalid IAM Instance Profile name'),
  ])('of the moment decides nothing: %s', (error) => {
    expect(verdictOn(error, 'CreateFleet')).toBe('later');
  });

  it('tells which policy forbids the call', () => {
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

  it('of user data counts against a class only where a template was to be made of it', () => {
    const error = new AwsRefusal('InvalidUserData.Malformed', 'User data is limited to 16384 bytes');
    expect(verdictOn(error, 'CreateLaunchTemplate')).toMatchObject({ reason: 'UserDataSizeLimitExceeded' });
    expect(() => verdictOn(error, 'RunInstances')).toThrow('User data is limited');
    const other = new AwsRefusal('InvalidUserData.Malformed', 'not base64');
    expect(() => verdictOn(other, 'CreateLaunchTemplate')).toThrow('not base64');
  });

  it('of any other kind is thrown on', () => {
    expect(() => verdictOn(new AwsRefusal('OptInRequired'), 'CreateFleet')).toThrow('OptInRequired');
    expect(() => verdictOn(new Error('no way to EC2'), 'CreateFleet')).toThrow('no way to EC2');
  });
});
