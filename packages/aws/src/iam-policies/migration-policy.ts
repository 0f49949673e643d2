import { type PolicyDocument, policyDocument } from './policy-document.ts';
import { clusterArn, type PolicyScope } from './policy-scope.ts';

/**
 * The permissions of `karpenter migrate`: `report`, `manifests` and `simulate` need the reading statements, `run` and
 * `rollback` all of them. Only groups with the tag of the cluster can be changed.
 */
export function migrationPolicy(scope: PolicyScope): PolicyDocument {
  const { partition, region, accountId, clusterName } = scope;
  const nodegroups = `arn:${partition}:eks:${region}:${accountId}:nodegroup/${clusterName}/*`;
  return policyDocument([
    {
      Sid: 'AllowReadingGroups',
      Effect: 'Allow',
      Resource: '*',
      Action: ['autoscaling:DescribeAutoScalingGroups', 'ec2:DescribeLaunchTemplateVersions'],
      Condition: { StringEquals: { 'aws:RequestedRegion': region } },
    },
    {
      Sid: 'AllowReadingNodegroups',
      Effect: 'Allow',
      Resource: [clusterArn(scope), nodegroups],
      Action: ['eks:DescribeCluster', 'eks:ListNodegroups', 'eks:DescribeNodegroup'],
    },
    {
      Sid: 'AllowMovingGroups',
      Effect: 'Allow',
      Resource: `arn:${partition}:autoscaling:${region}:${accountId}:autoScalingGroup:*`,
      Action: [
        'autoscaling:ResumeProcesses',
        'autoscaling:SuspendProcesses',
        'autoscaling:TerminateInstanceInAutoScalingGroup',
        'autoscaling:UpdateAutoScalingGroup',
      ],
      Condition: { StringEquals: { [`aws:ResourceTag/kubernetes.io/cluster/${clusterName}`]: 'owned' } },
    },
    {
      Sid: 'AllowResizingNodegroups',
      Effect: 'Allow',
      Resource: nodegroups,
      Action: 'eks:UpdateNodegroupConfig',
    },
  ]);
}
