import type { PolicyStatement } from './policy-document.ts';
import { ec2Arns, type PolicyScope } from './policy-scope.ts';
import { tagConditions } from './tag-conditions.ts';

/** Resource types that a launch creates. They are tagged at creation, so the policies can require tags. */
const launchedTypes = [
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'launch-template',
  'spot-instances-request',
] as const;

/** Resource types that a launch uses. They do not belong to Karpenter, so the policies require no tags. */
const usedTypes = [
  'image',
  'snapshot',
  'security-group',
  'subnet',
  'capacity-reservation',
  'placement-group',
] as const;

const launchActions = ['ec2:RunInstances', 'ec2:CreateFleet'] as const;

/** Statements for launching, tagging and terminating instances of this cluster only. */
export function nodeLifecycleStatements(scope: PolicyScope): readonly PolicyStatement[] {
  return [
    {
      Sid: 'AllowScopedEC2InstanceAccessActions',
      Effect: 'Allow',
      Resource: ec2Arns(scope, ...usedTypes),
      Action: launchActions,
    },
    {
      Sid: 'AllowScopedEC2LaunchTemplateAccessActions',
      Effect: 'Allow',
      Resource: ec2Arns(scope, 'launch-template'),
      Action: launchActions,
      Condition: tagConditions(scope, { ResourceTag: ['cluster', 'nodePool'] }),
    },
    {
      Sid: 'AllowScopedEC2InstanceActionsWithTags',
      Effect: 'Allow',
      Resource: ec2Arns(scope, ...launchedTypes),
      Action: [...launchActions, 'ec2:CreateLaunchTemplate'],
      Condition: tagConditions(scope, { RequestTag: ['cluster', 'eksCluster', 'nodePool'] }),
    },
    ...taggingStatements(scope),
    {
      Sid: 'AllowScopedDeletion',
      Effect: 'Allow',
      Resource: ec2Arns(scope, 'instance', 'launch-template'),
      Action: ['ec2:TerminateInstances', 'ec2:DeleteLaunchTemplate'],
      Condition: tagConditions(scope, { ResourceTag: ['cluster', 'nodePool'] }),
    },
  ];
}

function taggingStatements(scope: PolicyScope): readonly PolicyStatement[] {
  const { StringEquals, ...created } = tagConditions(scope, {
    RequestTag: ['cluster', 'eksCluster', 'nodePool'],
  });
  return [
    {
      Sid: 'AllowScopedResourceCreationTagging',
      Effect: 'Allow',
      Resource: ec2Arns(scope, ...launchedTypes),
      Action: 'ec2:CreateTags',
      Condition: {
        ...created,
        StringEquals: {
          ...StringEquals,
          'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'],
        },
      },
    },
    {
      Sid: 'AllowScopedResourceTagging',
      Effect: 'Allow',
      Resource: ec2Arns(scope, 'instance'),
      Action: 'ec2:CreateTags',
      Condition: {
        ...tagConditions(scope, { ResourceTag: ['cluster', 'nodePool'] }),
        StringEqualsIfExists: { 'aws:RequestTag/eks:eks-cluster-name': scope.clusterName },
        'ForAllValues:StringEquals': {
          'aws:TagKeys': ['eks:eks-cluster-name', 'karpenter.sh/nodeclaim', 'Name'],
        },
      },
    },
  ];
}
