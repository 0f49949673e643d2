import { errorText, hasCode } from '../../aws-errors/index.ts';
import { controllerPolicies, policyScope } from '../../iam-policies/index.ts';
import {
  type CheckResult,
  outcomes,
  type PreflightCheck,
  type PreflightContext,
} from '../preflight-check.ts';

const result = outcomes('permissions');

/** An action of the controller and a call that shows whether it is allowed, without changing anything. */
interface Probe {
  readonly action: string;
  readonly call: () => Promise<unknown>;
}

/** Each action that can be tried without an effect: dry runs of EC2, harmless reads elsewhere. */
export const checkPermissions: PreflightCheck = async (context) => {
  const denied: string[] = [];
  const unclear: string[] = [];
  for (const { action, call } of probes(context)) {
    const outcome = await tried(call);
    if (outcome === 'denied') denied.push(action);
    else if (outcome !== 'allowed') unclear.push(`${action} (${outcome})`);
  }
  if (denied.length > 0) return denied.map((action) => missing(context, action));
  if (unclear.length > 0)
    return [result.unknown(`it is not clear whether these are allowed: ${unclear.join(', ')}`)];
  return [result.passed('every action that can be tried without an effect is allowed')];
};

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
    { action: 'ssm:GetParameter', call: () => ssm.getParameter({ Name: '/aws/service/eks/preflight' }) },
    {
      action: 'pricing:GetProducts',
      call: () => pricing.getProducts({ ServiceCode: 'AmazonEC2', MaxResults: 1 }),
    },
  ];
}

/** With the tags that the policies demand of what the controller creates. */
function templateTrial({ clusterName }: PreflightContext) {
  const Tags = [
    { Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned' },
    { Key: 'eks:eks-cluster-name', Value: clusterName },
    { Key: 'karpenter.sh/nodepool', Value: 'preflight' },
  ];
  return {
    DryRun: true,
    LaunchTemplateName: `karpenter-preflight-${clusterName}`,
    LaunchTemplateData: { InstanceType: 'm5.large' as const },
    TagSpecifications: [{ ResourceType: 'launch-template' as const, Tags }],
  };
}

async function tried(call: () => Promise<unknown>): Promise<'allowed' | 'denied' | string> {
  try {
    await call();
    return 'allowed';
  } catch (error) {
    if (hasCode(error, 'DryRunOperation') || hasCode(error, 'ParameterNotFound')) return 'allowed';
    const isDenied = ['UnauthorizedOperation', 'AccessDenied', 'AccessDeniedException'].some((code) =>
      hasCode(error, code),
    );
    return isDenied ? 'denied' : errorText(error);
  }
}

function missing({ region, clusterName }: PreflightContext, action: string): CheckResult {
  // Only which policy holds the action matters here, so the account may be any.
  const scope = policyScope({ partition: 'aws', region, accountId: '*', clusterName });
  const policy = controllerPolicies(scope).find(({ document }) =>
    document.Statement.some(({ Action }) => [Action].flat().includes(action)),
  );
  return result.failed(
    `the caller may not ${action}`,
    `attach the policy KarpenterController${policy?.topic ?? ''}Policy-${clusterName} (deploy/cloudformation)`,
  );
}
