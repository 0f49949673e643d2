/** Why a launch failed, for a condition of a NodeClaim or EC2NodeClass. */
export interface FailureReason {
  readonly reason: string;
  readonly message: string;
}

interface Rule extends FailureReason {
  /** The error text contains one of these. */
  readonly anyOf: readonly string[];
  /** And it contains this. */
  readonly and?: string;
}

const unauthorized = ['UnauthorizedOperation', 'AccessDenied', 'AuthFailure'];
const notAuthorized = 'User is not authorized to perform this operation';

/** The first matching rule wins, so specific rules come before general ones. */
export const reasonRules: readonly Rule[] = [
  {
    anyOf: ['AuthFailure.ServiceLinkedRoleCreationNotPermitted'],
    reason: 'SpotSLRCreationFailed',
    message:
      'User does not have sufficient permission to create the Spot ServiceLinkedRole to launch spot instances',
  },
  {
    anyOf: unauthorized,
    and: 'with an explicit deny in a permissions boundary',
    reason: 'Unauthorized',
    message: `${notAuthorized} due to a permission boundary`,
  },
  {
    anyOf: unauthorized,
    and: 'with an explicit deny in a service control policy',
    reason: 'Unauthorized',
    message: `${notAuthorized} due to a service control policy`,
  },
  {
    anyOf: unauthorized,
    and: 'Not authorized for images',
    reason: 'AMIAuthorizationFailure',
    message: 'User is not authorized for AMI used in instance launch',
  },
  {
    anyOf: unauthorized,
    reason: 'Unauthorized',
    message: `${notAuthorized} because no identity-based policy allows it`,
  },
  {
    anyOf: ['InvalidParameter'],
    and: 'belong to different networks',
    reason: 'SecurityGroupSubnetVPCMismatch',
    message: 'Security groups and subnets must be in the same VPC.',
  },
  {
    anyOf: ['iamInstanceProfile.name is invalid'],
    reason: 'InstanceProfileNameInvalid',
    message: 'Instance profile name used from EC2NodeClass status does not exist',
  },
  {
    anyOf: ['InvalidLaunchTemplateId.NotFound'],
    reason: 'LaunchTemplateNotFound',
    message: `Launch template used for instance launch wasn't found`,
  },
  {
    anyOf: ['User data is limited to'],
    reason: 'UserDataSizeLimitExceeded',
    message: 'Rendered user data exceeds the EC2 user data size limit',
  },
  {
    anyOf: ['InvalidAMIID.Malformed'],
    reason: 'InvalidAMIID',
    message: 'AMI used for instance launch is invalid',
  },
  {
    anyOf: ['InvalidAMIID.NotFound'],
    reason: 'AMINotFound',
    message: `AMI used for instance launch either does not exist or you don't have permissions to use it`,
  },
  { anyOf: ['RequestLimitExceeded'], reason: 'RequestLimitExceeded', message: 'Request limit exceeded' },
  { anyOf: ['InternalError'], reason: 'InternalError', message: 'An internal error has occurred' },
  {
    anyOf: ['not eligible for Free Tier'],
    reason: 'FreeTierIneligible',
    message: 'The specified instance type is not eligible for Free Tier',
  },
  {
    anyOf: ['MaxFleetCountExceeded'],
    reason: 'FleetQuotaExceeded',
    message: 'A fleet launch was requested but this would exceed your fleet request quota',
  },
  {
    anyOf: ['PendingVerification'],
    reason: 'AccountPendingVerification',
    message:
      'An instance launch was requested but the request for launching resources in this region is still being verified',
  },
  {
    anyOf: ['MaxSpotInstanceCountExceeded'],
    reason: 'SpotQuotaExceeded',
    message: 'A spot instance launch was requested but this would exceed your spot instance quota',
  },
  {
    anyOf: ['VcpuLimitExceeded'],
    reason: 'VCPULimitExceeded',
    message: 'An instance was requested that would exceed your VCPU quota',
  },
  {
    anyOf: ['InsufficientFreeAddressesInSubnet'],
    reason: 'InsufficientFreeAddressesInSubnet',
    message: 'There are not enough free IP addresses to launch an instance in this subnet',
  },
];

const otherwise: FailureReason = { reason: 'LaunchFailed', message: 'Instance launch failed' };

/** Returns the reason for an error text; `LaunchFailed` if no rule matches. */
export function failureReason(text: string): FailureReason {
  const rule = reasonRules.find(
    ({ anyOf, and }) =>
      anyOf.some((part) => text.includes(part)) && (and === undefined || text.includes(and)),
  );
  return rule === undefined ? otherwise : { reason: rule.reason, message: rule.message };
}
