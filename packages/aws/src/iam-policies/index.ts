/**
 * The AWS resources that Karpenter needs, as data: policies of the controller, roles and the interruption queue. The
 * CloudFormation and Terraform files under `deploy` are generated from it, `karpenter preflight` checks against it and
 * the simulated account enforces it (ADR 0048). Pure. Start with `controller-policies.ts`.
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
