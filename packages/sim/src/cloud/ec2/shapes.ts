import type { Ec2 } from '@karpenter/aws/ports';
import { instanceType } from '@karpenter/ec2-catalogue';

/**
 * The request and reply of a port method, derived from the port so that nothing here depends on the AWS SDK
 * itself.
 */
export type Asked<Method extends keyof Ec2> = Parameters<Ec2[Method]>[0];
export type Answered<Method extends keyof Ec2> = Awaited<ReturnType<Ec2[Method]>>;

/** The item type of an optional list. */
export type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

export type LaunchTemplateData = NonNullable<Asked<'createLaunchTemplate'>['LaunchTemplateData']>;
export type FleetConfig = ItemOf<Asked<'createFleet'>['LaunchTemplateConfigs']>;
export type FleetOverride = ItemOf<FleetConfig['Overrides']>;
export type FleetError = ItemOf<Answered<'createFleet'>['Errors']>;
export type FleetInstance = ItemOf<Answered<'createFleet'>['Instances']>;
export type DescribedReservation = ItemOf<Answered<'describeInstances'>['Reservations']>;
export type DescribedInstance = ItemOf<DescribedReservation['Instances']>;
export type DescribedStatus = ItemOf<Answered<'describeInstanceStatus'>['InstanceStatuses']>;
export type InstanceTypeName = NonNullable<DescribedInstance['InstanceType']>;
export type DescribedType = ItemOf<Answered<'describeInstanceTypes'>['InstanceTypes']>;

export function isInstanceTypeName(name: string): name is InstanceTypeName {
  return instanceType(name) !== undefined;
}
