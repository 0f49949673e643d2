import type {
  CreateFleetCommandInput,
  ResourceType,
  RunInstancesCommandInput,
  TagSpecification,
} from '@aws-sdk/client-ec2';
import { errorText, failureReasonOf, hasCode } from '../../aws-errors/index.ts';
import { ec2NodeClassReasons } from '../../names/index.ts';
import type { EC2NodeClass, SubnetStatus } from '../../node-class/index.ts';
import { isAwsError } from '../../ports/index.ts';
import type { ResolutionFailure } from '../../resolution/index.ts';
import { ec2Tags } from '../../tags/index.ts';

/** Result of a dry run: the class is valid, the error is temporary, or the class fails validation. */
export type DryRunVerdict = 'passed' | 'later' | ResolutionFailure;

/** A launch to try with dry runs. */
export interface Trial {
  readonly nodeClass: EC2NodeClass;
  readonly template: string;
  readonly instanceType: string;
  readonly tags: Readonly<Record<string, string>>;
}

type InstanceTypeName = NonNullable<RunInstancesCommandInput['InstanceType']>;

/** No retries: a dry run always ends with an error, and that error is the result. */
export const dryRunOptions = { retries: 'none' } as const;

/** CreateFleet request for a dry run. */
export function fleetTrial({ nodeClass, template, instanceType, tags }: Trial): CreateFleetCommandInput {
  const { context } = nodeClass.spec;
  return {
    DryRun: true,
    Type: 'instant',
    ...(context !== undefined && { Context: context }),
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: template, Version: '$Latest' },
        Overrides: (nodeClass.status?.subnets ?? []).map(({ id }) => ({
          InstanceType: sdkName(instanceType),
          SubnetId: id,
        })),
      },
    ],
    TargetCapacitySpecification: { DefaultTargetCapacityType: 'on-demand', TotalTargetCapacity: 1 },
    OnDemandOptions: { AllocationStrategy: 'lowest-price' },
    TagSpecifications: tagged(tags, ['instance', 'volume', 'fleet']),
  };
}

/** RunInstances request for a dry run. */
export function runTrial(
  { nodeClass, template, instanceType, tags }: Trial,
  subnet: SubnetStatus,
): RunInstancesCommandInput {
  return {
    DryRun: true,
    MinCount: 1,
    MaxCount: 1,
    LaunchTemplate: { LaunchTemplateName: template, Version: '$Latest' },
    InstanceType: sdkName(instanceType),
    NetworkInterfaces: interfacesOf(nodeClass, subnet.id),
    TagSpecifications: tagged(tags, ['instance', 'volume', 'network-interface']),
  };
}

/**
 * The interfaces carry the subnet, because EC2 rejects a request with interfaces and a top-level SubnetId.
 */
function interfacesOf(
  { spec }: EC2NodeClass,
  subnetId: string,
): RunInstancesCommandInput['NetworkInterfaces'] {
  const { networkInterfaces = [] } = spec;
  if (networkInterfaces.length === 0) return [{ DeviceIndex: 0, SubnetId: subnetId }];
  return networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
    NetworkCardIndex: networkCardIndex,
    DeviceIndex: deviceIndex,
    InterfaceType: interfaceType,
    SubnetId: subnetId,
  }));
}

/** The SDK's type lists only instance types known at its release; EC2 adds others. */
function sdkName(instanceType: string): InstanceTypeName {
  return instanceType as InstanceTypeName;
}

function tagged(tags: Trial['tags'], types: readonly ResourceType[]): TagSpecification[] {
  return types.map((type) => ({ ResourceType: type, Tags: ec2Tags(tags) }));
}

export type TrialAction = 'CreateLaunchTemplate' | 'CreateFleet' | 'RunInstances';

const deniedReasons: Readonly<Record<TrialAction, string>> = {
  CreateLaunchTemplate: ec2NodeClassReasons.createLaunchTemplateAuthCheckFailed.reason,
  CreateFleet: ec2NodeClassReasons.createFleetAuthCheckFailed.reason,
  RunInstances: ec2NodeClassReasons.runInstancesAuthCheckFailed.reason,
};

/** Interprets the error of a dry run. Rethrows errors that are not about the class. */
export function verdictOn(error: unknown, action: TrialAction): DryRunVerdict {
  if (hasCode(error, 'DryRunOperation')) return 'passed';
  if (isTemporary(error)) return 'later';
  const { message } = failureReasonOf(error);
  if (hasCode(error, 'UnauthorizedOperation')) {
    return {
      reason: deniedReasons[action],
      message: `Controller isn't authorized to call ec2:${action}: ${message}`,
    };
  }
  if (action === 'CreateLaunchTemplate' && isTooMuchUserData(error)) {
    return {
      reason: ec2NodeClassReasons.userDataSizeLimitExceeded.reason,
      message: `ec2:CreateLaunchTemplate rejected the rendered user data as too large: ${message}`,
    };
  }
  throw error;
}

/**
 * Errors that pass by themselves: throttling, server faults,
 * and a new instance profile that EC2 does not see yet.
 */
function isTemporary(error: unknown): boolean {
  if (!isAwsError(error)) return false;
  return (
    error.code === 'RequestLimitExceeded' ||
    error.fault === 'server' ||
    error.message.includes('Invalid IAM Instance Profile name')
  );
}

function isTooMuchUserData(error: unknown): boolean {
  return hasCode(error, 'InvalidUserData.Malformed') && errorText(error).includes('User data is limited to');
}
