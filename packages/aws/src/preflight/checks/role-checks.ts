import { errorText, hasCode } from '../../aws-errors/index.ts';
import { deployCommand, outcomes, type PreflightCheck, type PreflightContext } from '../preflight-check.ts';

const role = outcomes('node-role');
const joins = outcomes('node-role-joins');
const spot = outcomes('spot-service-linked-role');

const spotRoleName = 'AWSServiceRoleForEC2Spot';

/** Checks that the node role exists, that EC2 may assume it, and that its instances may join the cluster. */
export const checkNodeRole: PreflightCheck = async (context) => {
  const { services, nodeRole } = context;
  try {
    const { Role } = await services.iam.getRole({ RoleName: nodeRole });
    const trust = decodeURIComponent(Role?.AssumeRolePolicyDocument ?? '');
    const trusted = /"ec2\.amazonaws\.com(\.cn)?"/.test(trust)
      ? role.passed(`role ${nodeRole} exists and EC2 may take it`)
      : role.failed(
          `role ${nodeRole} does not let ec2.amazonaws.com take it, so instances get no credentials`,
          `aws iam update-assume-role-policy --role-name ${nodeRole} --policy-document '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}'`,
        );
    return [trusted, await joinResult(context, Role?.Arn ?? '')];
  } catch (error) {
    if (!hasCode(error, 'NoSuchEntity') && !hasCode(error, 'NoSuchEntityException'))
      return [role.unknown(`role ${nodeRole} cannot be read: ${errorText(error)}`)];
    return [role.failed(`there is no role ${nodeRole} for the nodes`, deployCommand(context))];
  }
};

/** Instances may join by an access entry, or on older clusters by the ConfigMap aws-auth. */
async function joinResult(
  { services, clusterName, region, nodeRole, cluster }: PreflightContext,
  arn: string,
) {
  const { mappedRoles } = cluster;
  const create = `aws eks create-access-entry --cluster-name ${clusterName} --region ${region} --type EC2_LINUX --principal-arn ${arn}`;
  if ('value' in mappedRoles && isMapped(arn, mappedRoles.value))
    return joins.passed(`the ConfigMap aws-auth maps role ${nodeRole}`);
  try {
    const { accessEntry } = await services.eks.describeAccessEntry({ clusterName, principalArn: arn });
    if (accessEntry?.type !== 'STANDARD')
      return joins.passed(`role ${nodeRole} has an access entry in the cluster`);
    return joins.failed(
      `the access entry of role ${nodeRole} has the type STANDARD, with which no instance joins the cluster`,
      `aws eks delete-access-entry --cluster-name ${clusterName} --region ${region} --principal-arn ${arn} && ${create}`,
    );
  } catch (error) {
    if (!hasCode(error, 'ResourceNotFoundException'))
      return joins.unknown(`the access entries of the cluster cannot be read: ${errorText(error)}`);
    return joins.failed(
      `neither an access entry nor the ConfigMap aws-auth lets instances with role ${nodeRole} join the cluster`,
      create,
    );
  }
}

/** The ConfigMap has YAML or JSON. Compares whole words, because the ARN of another role may begin with this one. */
function isMapped(arn: string, mapRoles: string): boolean {
  const entries = mapRoles.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  return entries.some((line) => line.split(/[\s"',{}[\]]+/).includes(arn));
}

/** Checks the service-linked role that EC2 needs for spot requests; it exists once per account. */
export const checkSpotRole: PreflightCheck = async ({ services }) => {
  try {
    await services.iam.getRole({ RoleName: spotRoleName });
    return [spot.passed('the service-linked role for spot exists')];
  } catch (error) {
    if (!hasCode(error, 'NoSuchEntity') && !hasCode(error, 'NoSuchEntityException'))
      return [spot.unknown(`the service-linked role for spot cannot be read: ${errorText(error)}`)];
    return [
      spot.failed(
        `the account has no role ${spotRoleName}, so spot launches fail`,
        'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com',
      ),
    ];
  }
};
