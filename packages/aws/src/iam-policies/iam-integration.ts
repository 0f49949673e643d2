import type { PolicyStatement } from './policy-document.ts';
import { instanceProfileArn, type PolicyScope } from './policy-scope.ts';
import { type ScopingTag, tagConditions } from './tag-conditions.ts';

const profileTags: readonly ScopingTag[] = ['cluster', 'region', 'nodeClass'];
const requestedTags: readonly ScopingTag[] = ['cluster', 'eksCluster', 'region', 'nodeClass'];

/** Statements for managing the instance profiles of EC2NodeClasses and passing their role to EC2. */
export function iamIntegrationStatements(scope: PolicyScope): readonly PolicyStatement[] {
  const Resource = instanceProfileArn(scope);
  return [
    {
      Sid: 'AllowPassingInstanceRole',
      Effect: 'Allow',
      Resource: scope.nodeRoleArn,
      Action: 'iam:PassRole',
      Condition: {
        StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] },
      },
    },
    {
      Sid: 'AllowScopedInstanceProfileCreationActions',
      Effect: 'Allow',
      Resource,
      Action: 'iam:CreateInstanceProfile',
      Condition: tagConditions(scope, { RequestTag: requestedTags }),
    },
    {
      Sid: 'AllowScopedInstanceProfileTagActions',
      Effect: 'Allow',
      Resource,
      Action: 'iam:TagInstanceProfile',
      Condition: tagConditions(scope, { ResourceTag: profileTags, RequestTag: requestedTags }),
    },
    {
      Sid: 'AllowScopedInstanceProfileActions',
      Effect: 'Allow',
      Resource,
      Action: [
        'iam:AddRoleToInstanceProfile',
        'iam:RemoveRoleFromInstanceProfile',
        'iam:DeleteInstanceProfile',
      ],
      Condition: tagConditions(scope, { ResourceTag: profileTags }),
    },
  ];
}
