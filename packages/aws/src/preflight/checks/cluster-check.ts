import { errorText, hasCode } from '../../aws-errors/index.ts';
import { outcomes, type PreflightCheck } from '../preflight-check.ts';

const cluster = outcomes('eks-cluster');

/** Checks that the EKS cluster exists and is active, and that the kubeconfig points to it. */
export const checkCluster: PreflightCheck = async ({ services, clusterName, region, cluster: live }) => {
  try {
    const { cluster: found } = await services.eks.describeCluster({ name: clusterName });
    if (found?.status !== 'ACTIVE')
      return [
        cluster.failed(
          `EKS cluster ${clusterName} is ${found?.status ?? 'in an unknown state'}, not ACTIVE`,
          `aws eks wait cluster-active --name ${clusterName} --region ${region}`,
        ),
      ];
    if (found.endpoint !== undefined && hostOf(found.endpoint) !== hostOf(live.server))
      return [
        cluster.failed(
          `the kubeconfig talks to ${live.server}, but EKS cluster ${clusterName} is at ${found.endpoint}`,
          `aws eks update-kubeconfig --name ${clusterName} --region ${region}`,
        ),
      ];
    return [cluster.passed(`EKS cluster ${clusterName} is active, version ${found.version}`)];
  } catch (error) {
    if (hasCode(error, 'ResourceNotFoundException'))
      return [
        cluster.failed(
          `EKS has no cluster ${clusterName} in ${region}`,
          `aws eks list-clusters --region ${region}, then give the right --cluster-name and --region`,
        ),
      ];
    return [
      cluster.failed(
        `EKS does not describe cluster ${clusterName}: ${errorText(error)}`,
        'attach the policy KarpenterControllerEKSIntegrationPolicy (deploy/cloudformation)',
      ),
    ];
  }
};

/** Drops scheme, port and path, which a kubeconfig may contain or not for the same server. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : address;
}
