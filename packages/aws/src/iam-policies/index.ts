/**
 * What the account must allow and provide: the policies of the controller, the roles and the interruption queue, as
 * data. The CloudFormation and Terraform files under `deploy` are written from it, `karpenter preflight` checks
 * against it and the simulated account enforces it. Pure. Start with `controller-policies.ts`.
 */

export {
  controllerPolicies,
  controllerPolicyName,
} from './controller-policies.ts';
export {
  type InterruptionRule,
  interruptionRules,
  queuePolicy,
  queueRetentionSeconds,
} from './interruption-queue.ts';
export { migrationPolicy } from './migration-policy.ts';
export type { PolicyDocument, PolicyStatement } from './policy-document.ts';
export { controllerRoleName, nodeRoleName, policyScope } from './policy-scope.ts';
export {
  nodeRolePolicies,
  nodeTrustPolicy,
  podIdentityTrustPolicy,
  serviceAccountTrustPolicy,
} from './trust-policies.ts';
