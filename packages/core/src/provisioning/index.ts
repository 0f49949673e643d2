export { type ExceededLimit, exceededLimit } from './exceeded-limit.ts';
export { listedNames } from './listed-names.ts';
export { nodeClassKindOf } from './managed.ts';
export { areMinValuesRelaxed, type ClaimSource, nodeClaimFor, staticNodeClaim } from './node-claim-object.ts';
export { type PlanInput, type PlanSurroundings, planInput } from './plan-input.ts';
export {
  type IgnoredPod,
  type PodSurroundings,
  type PodsInNeed,
  type PreparedPods,
  preparedPods,
} from './prepared-pods.ts';
export {
  type RegistrationHealth,
  type RegistrationRecord,
  type RegistrationResult,
  recordFromCondition,
  registrationHealth,
  withRegistration,
} from './registration-record.ts';
