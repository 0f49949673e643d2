import { iamIntegrationStatements } from './iam-integration.ts';
import { nodeLifecycleStatements } from './node-lifecycle.ts';
import { type PolicyDocument, type PolicyStatement, policyDocument } from './policy-document.ts';
import { clusterArn, type PolicyScope } from './policy-scope.ts';
import { resourceDiscoveryStatements } from './resource-discovery.ts';

/** A managed policy of the controller. IAM limits a policy to 6,144 characters, hence several. */
export interface ControllerPolicy {
  /** `NodeLifecycle` becomes `KarpenterControllerNodeLifecyclePolicy-C`. */
  readonly topic: string;
  readonly document: PolicyDocument;
}

export function controllerPolicyName(topic: string, clusterName: string): string {
  return `KarpenterController${topic}Policy-${clusterName}`;
}

/** All permissions of the controller in an account. Tag conditions exclude resources of other clusters. */
export function controllerPolicies(scope: PolicyScope): readonly ControllerPolicy[] {
  const statements: readonly (readonly [string, readonly PolicyStatement[]])[] = [
    ['NodeLifecycle', nodeLifecycleStatements(scope)],
    ['IAMIntegration', iamIntegrationStatements(scope)],
    ['EKSIntegration', [eksIntegration(scope)]],
    ['Interruption', [interruption(scope)]],
    ['ZonalShift', [zonalShift(scope)]],
    ['ResourceDiscovery', resourceDiscoveryStatements(scope)],
  ];
  return statements.map(([topic, list]) => ({ topic, document: policyDocument(list) }));
}

function eksIntegration(scope: PolicyScope): PolicyStatement {
  return {
    Sid: 'AllowAPIServerEndpointDiscovery',
    Effect: 'Allow',
    Resource: clusterArn(scope),
    Action: 'eks:DescribeCluster',
  };
}

function interruption({ queueArn }: PolicyScope): PolicyStatement {
  return {
    Sid: 'AllowInterruptionQueueActions',
    Effect: 'Allow',
    Resource: queueArn,
    Action: ['sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
  };
}

function zonalShift(scope: PolicyScope): PolicyStatement {
  return {
    Sid: 'AllowZonalShiftStatusReadOnly',
    Effect: 'Allow',
    Resource: '*',
    Action: 'arc-zonal-shift:GetManagedResource',
    Condition: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': clusterArn(scope) } },
  };
}
