import { errorText } from '../aws-errors/index.ts';
import { checkCluster } from './checks/cluster-check.ts';
import { checkDefinitions } from './checks/definition-check.ts';
import { checkSecurityGroups, checkSubnets } from './checks/network-checks.ts';
import { checkControllerNodes, checkHopLimit, checkOtherAutoscalers } from './checks/node-checks.ts';
import { checkPermissions } from './checks/permission-check.ts';
import { checkQueue } from './checks/queue-check.ts';
import { checkNodeRole, checkSpotRole } from './checks/role-checks.ts';
import { type CheckResult, outcomes, type PreflightContext } from './preflight-check.ts';

const credentials = outcomes('aws-credentials');

const checks = [
  checkCluster,
  checkPermissions,
  checkSubnets,
  checkSecurityGroups,
  checkNodeRole,
  checkSpotRole,
  checkQueue,
  checkDefinitions,
  checkControllerNodes,
  checkHopLimit,
  checkOtherAutoscalers,
] as const;

/**
 * Checks an account and a cluster before the controller is installed. Changes nothing. Stops after the
 * check of the credentials if it fails, because every other check would fail for the same reason.
 */
export async function preflight(context: PreflightContext): Promise<readonly CheckResult[]> {
  const identity = await checkCredentials(context);
  if (identity.verdict !== 'passed') return [identity];
  const results = [identity];
  for (const check of checks) results.push(...(await check(context)));
  return results;
}

async function checkCredentials({ services, region }: PreflightContext): Promise<CheckResult> {
  try {
    const { Arn } = await services.sts.getCallerIdentity({});
    return credentials.passed(`calls are made as ${Arn} in ${region}`);
  } catch (error) {
    return credentials.failed(
      `AWS does not accept the credentials: ${errorText(error)}`,
      'aws configure, or set AWS_PROFILE; aws sts get-caller-identity must work',
    );
  }
}
