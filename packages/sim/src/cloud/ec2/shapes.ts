import type { Ec2 } from '@karpenter/aws/ports';
import { instanceType } from '@karpenter/ec2-catalogue';

/**
 * The request and reply of a port method, derived from the port so that nothing here depends on the AWS SDK
 * itself.
 */
export type InputOf<Method extends keyof Ec2> = Parameters<Ec2[Method]>[0];
export type OutputOf<Method extends keyof Ec2> = Awaited<ReturnType<Ec2[Method]>>;

/** The item type of an optional list. */
export type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

export type LaunchTemplateData = NonNullable<InputOf<'createLaunchTemplate'>['LaunchTemplateData']>;
export type FleetConfig = ItemOf<InputOf<'createFleet'>['LaunchTemplateConfigs']>;
export type Ec2FleetOverride = ItemOf<FleetConfig['Overrides']>;
export type Ec2FleetError = ItemOf<OutputOf<'createFleet'>['Errors']>;
export type FleetInstance = ItemOf<OutputOf<'createFleet'>['Instances']>;
export type DescribedReservation = ItemOf<OutputOf<'describeInstances'>['Reservations']>;
export type DescribedInstance = ItemOf<DescribedReservation['Instances']>;
export type DescribedStatus = ItemOf<OutputOf<'describeInstanceStatus'>['InstanceStatuses']>;
export type InstanceTypeName = NonNullable<DescribedInstance['InstanceType']>;
export type Ec2DescribedType = ItemOf<OutputOf<'describeInstanceTypes'>['InstanceTypes']>;

export function isInstanceTypeName(name: string): name is InstanceTypeName {
  return instanceType(name) !== undefined;
}
