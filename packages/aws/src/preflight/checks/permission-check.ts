import { errorText, hasCode } from '../../aws-errors/index.ts';
import { controllerPolicies, policyScope } from '../../iam-policies/index.ts';
import {
  type CheckResult,
  outcomes,
  type PreflightCheck,
  type PreflightContext,
} from '../preflight-check.ts';
import { launchTrial, trialTags } from './launch-trial.ts';

const result = outcomes('permissions');

/** An action of the controller, and a call without side effects that shows whether it is allowed. */
interface Probe {
  readonly action: string;
  readonly call: () => Promise<unknown>;
}

/** Tries each action that has a call without side effects: dry runs in EC2, reads in other services. */
export const checkPermissions: PreflightCheck = async (context) => {
  const denied: string[] = [];
  const unclear: string[] = [];
  for (const { action, call } of [...probes(context), ...(await launchProbes(context))]) {
    const outcome = await tryCall(call);
    if (outcome === 'denied') denied.push(action);
    else if (outcome !== 'allowed') unclear.push(`${action} (${outcome})`);
  }
  if (denied.length === 0 && unclear.length === 0)
    return [result.passed('every action that can be tried without an effect is allowed')];
  return [
    ...denied.map((action) => missing(context, action)),
    ...(unclear.length > 0
      ? [result.unknown(`it is not clear whether these are allowed: ${unclear.join(', ')}`)]
      : []),
  ];
};

/**
 * Only RunInstances: the policies allow CreateFleet by the same statements, and its dry run needs a launch template.
 */
async function launchProbes(context: PreflightContext): Promise<readonly Probe[]> {
  const trial = await launchTrial(context);
  if (trial === undefined) return [];
  return [{ action: 'ec2:RunInstances', call: () => context.services.ec2.runInstances(trial) }];
}

function probes(context: PreflightContext): readonly Probe[] {
  const { services } = context;
  const { ec2, iam, ssm, pricing } = services;
  const dryRun = { DryRun: true } as const;
  return [
    { action: 'ec2:DescribeCapacityReservations', call: () => ec2.describeCapacityReservations(dryRun) },
    { action: 'ec2:DescribeImages', call: () => ec2.describeImages({ ...dryRun, Owners: ['amazon'] }) },
    { action: 'ec2:DescribeInstances', call: () => ec2.describeInstances(dryRun) },
    { action: 'ec2:DescribeInstanceStatus', call: () => ec2.describeInstanceStatus(dryRun) },
    { action: 'ec2:DescribeInstanceTypeOfferings', call: () => ec2.describeInstanceTypeOfferings(dryRun) },
    { action: 'ec2:DescribeInstanceTypes', call: () => ec2.describeInstanceTypes(dryRun) },
    { action: 'ec2:DescribeLaunchTemplates', call: () => ec2.describeLaunchTemplates(dryRun) },
    { action: 'ec2:DescribePlacementGroups', call: () => ec2.describePlacementGroups(dryRun) },
    { action: 'ec2:DescribeSecurityGroups', call: () => ec2.describeSecurityGroups(dryRun) },
    { action: 'ec2:DescribeSpotPriceHistory', call: () => ec2.describeSpotPriceHistory(dryRun) },
    { action: 'ec2:DescribeSubnets', call: () => ec2.describeSubnets(dryRun) },
    { action: 'ec2:CreateLaunchTemplate', call: () => ec2.createLaunchTemplate(templateTrial(context)) },
    { action: 'iam:ListInstanceProfiles', call: () => iam.listInstanceProfiles({ MaxItems: 1 }) },
    {
      action: 'iam:GetInstanceProfile',
      call: () => iam.getInstanceProfile({ InstanceProfileName: 'karpenter-preflight' }),
    },
    { action: 'ssm:GetParameter', call: () => ssm.getParameter({ Name: '/aws/service/eks/preflight' }) },
    {
      action: 'pricing:GetProducts',
      call: () => pricing.getProducts({ ServiceCode: 'AmazonEC2', MaxResults: 1 }),
    },
  ];
}

function templateTrial(context: PreflightContext) {
  return {
    DryRun: true,
    LaunchTemplateName: `karpenter-preflight-${context.clusterName}`,
    LaunchTemplateData: { InstanceType: 'm5.large' as const },
    TagSpecifications: trialTags(context, ['launch-template']),
  };
}

/** Error codes that show that a call is allowed: a dry run that would succeed, or an object that does not exist. */
const allowedCodes = ['DryRunOperation', 'ParameterNotFound', 'NoSuchEntity', 'NoSuchEntityException'];
const deniedCodes = ['UnauthorizedOperation', 'AccessDenied', 'AccessDeniedException'];

async function tryCall(call: () => Promise<unknown>): Promise<'allowed' | 'denied' | string> {
  try {
    await call();
    return 'allowed';
  } catch (error) {
    if (allowedCodes.some((code) => hasCode(error, code))) return 'allowed';
    return deniedCodes.some((code) => hasCode(error, code)) ? 'denied' : errorText(error);
  }
}

function missing({ region, clusterName }: PreflightContext, action: string): CheckResult {
  // Only the name of the policy with the action matters here, so any account id will do.
  const scope = policyScope({ partition: 'aws', region, accountId: '*', clusterName });
  const policy = controllerPolicies(scope).find(({ document }) =>
    document.Statement.some(({ Action }) => [Action].flat().includes(action)),
  );
  return result.failed(
    `the caller may not ${action}`,
    `attach the policy KarpenterController${policy?.topic ?? ''}Policy-${clusterName} (deploy/cloudformation)`,
  );
}
